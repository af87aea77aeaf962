import { dataUri, picture, soundsByType, wav } from "./media.ts";
import type { Fields } from "./table.ts";
import { type Files, trialsOf } from "./trials.ts";

/** A request that the contract allows or forbids, whoever judges it. */
export interface Probe {
  readonly field: string;
  readonly why: string;
  readonly body: Body;
  readonly accepted: boolean;
  /** Set where only the service can tell: what is in a file, what an alias means. */
  readonly serviceOnly?: boolean | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/** A valid value for each field whose type alone does not tell one, by endpoint and field. */
export type Samples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What probes are made of. */
export interface Material extends Files {
  readonly samples: Samples;
}

/** Pictures and sounds, made once. */
export async function materialOf(samples: Samples): Promise<Material> {
  const [jpeg, png, webp] = await Promise.all([picture("jpeg"), picture("png"), picture("webp")]);
  return { samples, pictures: { jpeg, png, webp }, sounds: soundsByType() };
}

/** Every probe of one request: each value on trial, and what is required, in an otherwise valid body. */
export function probesOf(endpoint: string, fields: Fields, material: Material): readonly Probe[] {
  const sample = (name: string) => sampleOf(endpoint, name, fields, material);
  const body = (given: Body) => bodyOf(endpoint, fields, material, given);
  return [
    { field: "nothing", why: "beyond what is required", body: body({}), accepted: true },
    { field: "an unknown field", why: "1", body: { ...body({}), no_such_field: 1 }, accepted: false },
    ...Object.entries(fields).flatMap(([field, row]) =>
      trialsOf(row, sample(field), material).map(({ why, value, accepted, serviceOnly }) => ({
        field,
        why,
        body: body({ [field]: value }),
        accepted,
        serviceOnly,
      })),
    ),
    ...Object.keys(fields).flatMap((field) => requirementProbes(field, fields, body, sample)),
  ];
}

/** A body that is right but for what is given: everything that is required, and what given fields stand beside. */
export function bodyOf(endpoint: string, fields: Fields, material: Material, given: Body = {}): Body {
  const sample = (name: string) => sampleOf(endpoint, name, fields, material);
  const body: Record<string, unknown> = { ...given };
  for (const name of Object.keys(given))
    for (const [other, value] of Object.entries(fields[name]?.beside ?? {}))
      body[other] ??= value === true ? sample(other) : value;
  for (const [name, { required }] of Object.entries(fields)) {
    if (required === undefined || name in body) continue;
    const needed =
      required === true ||
      required === "not shown" ||
      ("unless" in required ? !(required.unless in body) : body[required.when[0]] === required.when[1]);
    if (needed) body[name] = sample(name);
  }
  return body;
}

/** A valid value of a field. */
export function sampleOf(
  endpoint: string,
  name: string,
  fields: Fields,
  { samples, pictures }: Material,
): unknown {
  const field = fields[name];
  if (!field) throw new Error(`${endpoint} has no field ${name}`);
  const own = field.choices?.[0] ?? samples[endpoint]?.[name];
  if (own !== undefined) return own;
  const jpeg = pictures.jpeg.toString("base64");
  switch (field.type) {
    case "int":
      return Math.max(field.min ?? 0, 8);
    case "float":
      return 1.5;
    case "bool":
      return true;
    case "date":
      return "2026-06-01";
    case "image":
      return jpeg;
    case "images":
      return [jpeg];
    case "audios":
      return [dataUri("audio/wav", wav(1))];
    case "string":
      return "slow zoom";
    default:
      return field.type satisfies never;
  }
}

function requirementProbes(
  field: string,
  fields: Fields,
  body: (given: Body) => Body,
  sample: (field: string) => unknown,
): readonly Probe[] {
  const { required, alias, only } = fields[field] ?? {};
  const probes: Probe[] = [];
  if (required === true)
    probes.push({ field, why: "left out", body: without(body({}), field), accepted: false });
  else if (typeof required === "object" && "unless" in required) {
    const { unless } = required;
    const beside = body({ [unless]: sample(unless) });
    probes.push(
      { field, why: `left out beside ${unless}`, body: beside, accepted: true },
      { field, why: `left out without ${unless}`, body: without(body({}), field), accepted: false },
    );
  } else if (typeof required === "object") {
    const [other, is] = required.when;
    const left = without(body({ [other]: is }), field);
    probes.push({ field, why: `left out where ${other} is ${is}`, body: left, accepted: false });
  }
  if (only) {
    const alone = { ...body({}), [field]: sample(field) };
    probes.push({ field, why: "without what it stands beside", body: alone, accepted: false });
  }
  if (alias !== undefined) {
    const renamed = { ...without(body({}), field), [alias]: sample(field) };
    probes.push({
      field,
      why: `under its other name ${alias}`,
      body: renamed,
      accepted: true,
      serviceOnly: true,
    });
  }
  return probes;
}

function without(body: Body, field: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}
