/** A request field, as the contract states it; what it does not show is left out. */
export interface Field {
  readonly type: "string" | "int" | "float" | "bool" | "date" | "image" | "images" | "audios";
  /** Always; unless another field is given; for one value of another field; or the contract leaves it open. */
  readonly required?:
    | true
    | "not shown"
    | { readonly unless: string }
    | { readonly when: readonly [field: string, is: string] };
  /** Of a number; of the length of a string. */
  readonly min?: number;
  readonly max?: number;
  /** The contract says "about" of its bound. */
  readonly about?: true;
  readonly multipleOf?: number;
  readonly choices?: readonly (string | number)[];
  readonly pattern?: RegExp;
  readonly default?: string | number | boolean | { readonly by: string };
  /** How many files a list holds. */
  readonly count?: { readonly min: number; readonly max: number };
  /** What each file may be; sizes in MB. */
  readonly each?: {
    readonly maxMb?: number;
    readonly maxSeconds?: number;
    readonly types?: readonly string[];
  };
  readonly maxSecondsTogether?: number;
  /** Another name for it. */
  readonly alias?: string;
  /** Means something only beside these: a value, or any. */
  readonly beside?: Readonly<Record<string, string | true>>;
  /** Refused without what it stands beside. */
  readonly only?: true;
}

/** The fields of a request, by name. */
export type Fields = Readonly<Record<string, Field>>;

type Kind =
  | "id"
  | "string"
  | "int"
  | "number"
  | "bool"
  | "date"
  | "timestamp"
  | "url"
  | "urls"
  | "base64"
  | "data URI"
  | "strings"
  | "object"
  | "objects";

/** The fields of an answer, by name; a name that ends in `?` may be missing. A text in quotes is the value itself. */
export type Shown = Readonly<Record<string, Kind | `${Kind} or null` | `'${string}'`>>;

/** A group of endpoints that share a published rate (section 8.1). */
export type Group =
  | "user"
  | "status"
  | "video"
  | "videoAudio"
  | "vid3"
  | "image"
  | "faceswap"
  | "delete"
  | "registration";

/** One endpoint of section 4. */
export interface Endpoint {
  readonly section: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the base address. */
  readonly path: string;
  readonly aliases?: readonly string[];
  /** Left out where section 8.1 names none that covers it. */
  readonly group?: Group;
  /** Who may; everyone with a key where it is left out. */
  readonly access?: "pro" | "pro or boss" | "boss";
  readonly host?: "full-catalog";
  readonly query?: Fields;
  readonly body?: Fields;
  /** Part names of files, by field, where multipart is offered. */
  readonly multipart?: Readonly<Record<string, readonly string[]>>;
  /** Left out where the contract says "not shown". */
  readonly answer?: Shown;
}
