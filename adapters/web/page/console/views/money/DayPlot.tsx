import type uPlot from "uplot";
import { useEffect, useRef, useState } from "preact/hooks";
import type { NamedSums } from "../../../../../../src/seam/access/money.ts";
import { useDesk } from "../../state/context.ts";
import { dayText } from "../../parts/words.ts";

/** How high it is, in pixels. */
const HEIGHT = 220;

/** So many days apart are those that are named below it. */
const APART = [1, 2, 5, 10, 15];

/** Tokens by day as bars, and how much of them went for nothing; the same stands in a table beside it. */
export function DayPlot({ days, label }: { days: readonly NamedSums[]; label: string }) {
  const { say, locale } = useDesk();
  const figure = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [looked, setLooked] = useState<number>();
  useEffect(() => {
    const [whole, target] = [figure.current, place.current];
    if (!whole || !target) return undefined;
    let drawn: uPlot | undefined;
    let stays = true;
    async function begin(of: HTMLElement, into: HTMLElement) {
      // Few of those who come to the console look at money.
      const { default: Plot } = await import("uplot");
      if (!stays) return;
      const options = optionsOf(of, into.clientWidth, {
        names: days.map(({ name }) => dayText(locale, name)),
        bars: Plot.paths.bars?.({ size: [0.8, 40] }),
        onLook: setLooked,
      });
      const tokens = days.map((day) => day.tokens);
      const failed = days.map(({ failedTokens }) => failedTokens);
      drawn = new Plot(options, [days.map((_, nth) => nth), tokens, failed], into);
    }
    // Where it cannot be loaded, the table says the same.
    begin(whole, target).catch(() => undefined);
    const sized = new ResizeObserver(() => drawn?.setSize({ width: target.clientWidth, height: HEIGHT }));
    sized.observe(target);
    // What is drawn does not follow the page's colours by itself.
    const draw = () => drawn?.redraw();
    const coloured = new MutationObserver(draw);
    coloured.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", draw);
    // Who would rather not see things move has colours change a moment later.
    whole.addEventListener("transitionend", draw);
    return () => {
      stays = false;
      sized.disconnect();
      coloured.disconnect();
      system.removeEventListener("change", draw);
      whole.removeEventListener("transitionend", draw);
      drawn?.destroy();
    };
  }, [days, locale]);

  const day = looked === undefined ? undefined : days[looked];
  return (
    <figure class="plot" ref={figure}>
      <div ref={place} role="img" aria-label={label} />
      <figcaption>
        <span class="swatch spent">{say("console.money.spent")}</span>
        <span class="swatch lost">{say("console.money.lost")}</span>
        {day && (
          <span aria-hidden="true">
            {dayText(locale, day.name)}: {say("fact.tokens", { tokens: day.tokens })}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

/** How it is drawn, in the colours that the page has when it is. */
function optionsOf(
  figure: HTMLElement,
  width: number,
  {
    names,
    bars,
    onLook,
  }: {
    names: readonly string[];
    bars: uPlot.Series.PathBuilder | undefined;
    onLook: (nth: number | undefined) => void;
  },
): uPlot.Options {
  const colourOf = (selector: string) => () =>
    getComputedStyle(figure.querySelector(selector) ?? figure).color;
  const [ink, spent, lost] = ["figcaption", ".spent", ".lost"].map(colourOf);
  const line = () => getComputedStyle(figure).borderTopColor;
  const axis: uPlot.Axis = {
    ...(ink && { stroke: ink }),
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  const series = (fill: (() => string) | undefined): uPlot.Series => ({
    ...(fill && { fill }),
    ...(bars && { paths: bars }),
    width: 0,
    points: { show: false },
  });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.5, Math.max(0.5, names.length - 0.5)] },
      y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: APART,
        values: (_plot, days) => days.map((nth) => names[nth] ?? ""),
      },
      { ...axis, size: 56 },
    ],
    series: [{}, series(spent), series(lost)],
    hooks: { setCursor: [({ cursor }) => onLook(cursor.idx ?? undefined)] },
  };
}
