import type { SoundBounds } from "../infrastructure/media/sounds/bounds.ts";
import type { MessageKey } from "../common/i18n.ts";
import type { StatementName } from "./values.ts";

/**
 * How a field is best asked for; each adapter has its own way to do so.
 * `mask`: a picture in which white marks a part of another picture, best painted over that one.
 */
export type Control =
  | "image"
  | "images"
  | "mask"
  | "sounds"
  | "text"
  | "secret"
  | "number"
  | "choice"
  | "switch"
  | "catalogue";

/** What the service offers to choose from. */
export type CatalogueName =
  | "video-templates"
  | "h3-templates"
  | "edit-templates"
  | "image-models"
  | "image-styles";

/** One field of a command, derived from its schema: plain JSON, so that a page or a partner can read it. */
export interface FieldSpec {
  readonly name: string;
  readonly label: MessageKey;
  readonly hint?: MessageKey;
  readonly control: Control;
  readonly required: boolean;
  /** Not needed when this other field is given. */
  readonly unless?: string;
  /** Makes sense only when another field has this value. */
  readonly when?: { readonly field: string; readonly is: string | number | boolean };
  /** Shown only when a person asks for more options. */
  readonly advanced: boolean;
  readonly default?: string | number | boolean;
  readonly min?: number;
  readonly max?: number;
  /** Whole numbers only. */
  readonly integer?: boolean;
  /** Only multiples of it. */
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly choices?: readonly { readonly value: string | number; readonly label?: MessageKey }[];
  /** For the control `catalogue`: which one its values come from, by `Intake.suggest`. */
  readonly catalogue?: CatalogueName;
  /** The field whose value narrows them. */
  readonly within?: string;
  /** For lists: how many files. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** For the control `mask`: the picture that it marks a part of. */
  readonly over?: string;
  /** Each picture is made to fit into this many bytes. */
  readonly fitBytes?: number;
  /** For the control `sounds`. */
  readonly sounds?: SoundBounds;
}

/** What a command is about, where it is about somebody's own affairs and not about what they make. */
export type Topic = "account" | "privacy" | "help";

/** How platforms treat a command, or a button of the core's: said once, where it is defined. */
export interface CommandTraits {
  /** What is said to it may be read by everybody in a group; all other commands are between a person and Reelay. */
  readonly public?: true;
  /** Where a platform with places of their own for such things keeps it. */
  readonly topic?: Topic;
  /** What it asks for first: its fields, in a form, or the key. */
  readonly asks?: "form" | "key";
  /** Run, it takes something away at once: where it is only looked at, it waits for a press. */
  readonly takesAway?: true;
  /** Run, it hands out at once what is kept of somebody: opened by a link, it waits for a press. */
  readonly handsOut?: true;
  /** Pressed: what is said to it is a sentence at most, about what it stands below; pressed twice, it is said once. */
  readonly brief?: true;
  /** Pressed: what is said to it is for whoever pressed alone, wherever the button stands. */
  readonly aside?: true;
  /** Pressed: it asks whether to press this other button of the core's, which a platform may ask in its own way. */
  readonly confirms?: string;
  /** Pressed: it opens a form of what can be made next, where words that answer the result may go. */
  readonly takesWords?: true;
  /**
   * Pressed: what it takes away is gone for good. Pressed again, it goes on with what is left, and says what came of it: a
   * platform whose presses do not come again does so where a process ended in the middle.
   */
  readonly forGood?: true;
  /** Pressed: it takes everything away, and is asked for once more. */
  readonly confirmed?: true;
}

/** A command as every platform publishes it in its own way. */
export interface CommandSpec extends CommandTraits {
  readonly name: string;
  readonly label: MessageKey;
  readonly description: MessageKey;
  /** `operation`: makes something and costs tokens. `command`: everything else. */
  readonly kind: "operation" | "command";
  /** What an operation makes. */
  readonly result?: "video" | "image";
  /** Set for an operation that every account needs a subscription for. */
  readonly subscription?: "pro";
  /** What the button that starts it must say, each time; its press comes with it as `Origin.agreed`. */
  readonly agreement?: StatementName;
  readonly fields: readonly FieldSpec[];
}

/** One entry of a catalogue, as a gallery, an autocomplete list or an inline search shows it. */
export interface Suggestion {
  readonly value: string;
  readonly title: string;
  readonly description?: string;
  readonly category?: string;
  readonly marks: readonly ("new" | "featured")[];
  /** Flagged as mature at the service. */
  readonly mature?: boolean;
  /** How many pictures it needs, where more than one. */
  readonly pictures?: number;
  /** How many variants it has; they are suggestions of the field that is `within` this one. */
  readonly variants: number;
}

/** What something will cost, and how that is known. */
export interface Quote {
  /** Null where nothing is known yet. */
  readonly tokens: number | null;
  /** `exact`: the service publishes the formula. `learned`: what the same choices cost last time. */
  readonly basis: "exact" | "learned" | "unknown";
  /** The tokens that are left; null where they could not be read, or are not the person's to know. */
  readonly balance: number | null;
}

/** Tokens that several of a kind cost, from the least to the most. */
export interface PriceRange {
  readonly least: number;
  readonly most: number;
}

/** What is proposed to somebody before they press: what it costs, and what they state by pressing. */
export interface Proposal extends Quote {
  /** Where the price is not known: what the like of it cost in this house, whoever asked for it, if there were enough. */
  readonly range?: PriceRange;
  /** What is still to be stated with the very press that begins it, the most general first. */
  readonly asks: readonly AskedStatement[];
}

/** A statement that somebody is asked for. */
export interface AskedStatement {
  readonly name: StatementName;
  /** Of the wording that they read. */
  readonly version: string;
  /** Where the host's own terms are, if this is about them. */
  readonly url?: string;
}
