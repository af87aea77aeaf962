/** A parameter of a method, or a field of an object. Several types mean: any of them. */
interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
}

/** A method or an object; an object may stand for several others. */
export interface Described {
  readonly fields?: readonly Field[];
  readonly subtypes?: readonly string[];
}

/** The Bot API as data. */
export interface ApiDescription {
  readonly methods: Readonly<Record<string, Described>>;
  readonly types: Readonly<Record<string, Described>>;
}
