/** Formatters by language and options: making one takes a hundred times as long as asking it. */
const formatters = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const name = `${locale} ${JSON.stringify(options)}`;
  const formatter = formatters.get(name) ?? new Intl.NumberFormat(locale, options);
  formatters.set(name, formatter);
  return formatter;
}

/** How the values in a sentence are written: `{{cost, tokens}}`. */
export const FORMATS = {
  number: (value, locale) => numberFormat(locale).format(value),
  /** Token amounts are decimals; at most two places are shown. */
  tokens: (value, locale) => numberFormat(locale, { maximumFractionDigits: 2 }).format(value),
  /** Milliseconds as seconds, minutes or hours. */
  duration: formatDuration,
  /** Milliseconds since 1970 as a date and time. */
  date: (value, locale) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(value),
  /** The same in UTC, by which days and months of caps and budgets go. */
  utc: (value, locale) =>
    `${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(value)} UTC`,
  /** Bytes as MB. */
  size: (value, locale) =>
    numberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(value / 1e6),
} satisfies Readonly<Record<string, (value: number, locale: string) => string>>;

/** A place in a sentence: the name of a value, and its format where it has one. */
export const PLACE = /\{\{(\w+)(?:, (\w+))?\}\}/g;

function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const unit = (value: number, name: "second" | "minute" | "hour") =>
    numberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value);
  if (seconds < 60) return unit(seconds, "second");
  if (seconds < 3600)
    return [
      unit(Math.floor(seconds / 60), "minute"),
      ...(seconds % 60 ? [unit(seconds % 60, "second")] : []),
    ].join(" ");
  return unit(Math.round(seconds / 360) / 10, "hour");
}
