import { readOperatorWords } from "../../src/domain/policy/words/operator-words.ts";
import { UNKNOWN } from "../../src/domain/jobs/traits.ts";
import { type Chapter, STATED } from "./situation.ts";

const declared = STATED.terms;
const nobodyYet = { person: {} };
const adult = { person: { declared: { ...STATED, adult: declared } } };

const words = { photos: false, person: { declared: { terms: declared } } };
const swap = { operation: "faceswap", agreement: "faces", text: "" } as const;
const group = { audience: "group" } as const;
const restricted = { audience: "age-restricted" } as const;
const partner = { platform: "http", audience: "partner", person: {}, vouched: true } as const;
const asked = { ...partner, vouched: false } as const;
const on = { mature: "on" } as const;
const inRestricted = { mature: "age-restricted" } as const;
const ownWords = { words: readOperatorWords(["dragon"], undefined) };

/** What may be made, asked about or refused, in the words of the documentation. */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: "Statements",
    rows: [
      { title: "A photo and harmless words, everything stated", decision: "allow" },
      { title: "The first request ever", situation: nobodyYet, decision: "ask terms" },
      {
        title: "The first request ever, with the button that accepts the terms",
        situation: { ...nobodyYet, agreed: ["terms"] },
        decision: "ask consent",
      },
      {
        title: "The first request ever, words alone",
        situation: { ...words, ...nobodyYet },
        decision: "ask terms",
      },
      { title: "Words alone, terms accepted", situation: words, decision: "allow" },
      {
        title: "The first photo",
        situation: { person: { declared: { terms: declared } } },
        decision: "ask consent",
      },
      {
        title: "A photo, when an older wording was confirmed",
        situation: { person: { declared: { ...STATED, consent: { ...declared, version: "0" } } } },
        decision: "ask consent",
      },
      {
        title: "Anything, after the host's own terms moved to another address",
        rules: { termsUrl: "https://host.example/terms" },
        decision: "ask terms",
      },
      {
        title: "A face swap, though people in photos agreed in general",
        situation: swap,
        decision: "ask faces",
      },
      {
        title: "A face swap, started with the button that says so",
        situation: { ...swap, agreed: ["faces"] },
        decision: "allow",
      },
      {
        title: "A face swap, though the last one was agreed to",
        situation: { ...swap, person: { declared: { ...STATED, faces: declared } } },
        decision: "ask faces",
      },
      {
        title: "The first request on the page",
        situation: { ...nobodyYet, platform: "web" },
        decision: "ask terms",
      },
      {
        title: "The first request on the command line",
        situation: { ...nobodyYet, platform: "cli" },
        decision: "ask terms",
      },
      { title: "The first request in a group", situation: { ...nobodyYet, ...group }, decision: "ask terms" },
    ],
  },
  {
    title: "Refused whatever the settings",
    rows: [
      {
        title: "Sexual words and a child",
        situation: { ...words, text: "a naked child" },
        decision: "refuse minors_refused",
      },
      {
        title: "The same with look-alike letters, digits and spaces",
        situation: { ...words, text: "n@k3d c h i l d" },
        decision: "refuse minors_refused",
      },
      {
        title: "The same in another language",
        situation: { ...words, text: "ein nacktes Kind" },
        decision: "refuse minors_refused",
      },
      {
        title: "The same in one more",
        situation: { ...words, text: "nagie dziecko" },
        decision: "refuse minors_refused",
      },
      {
        title: "The same from an adult, of a mature template, where that is on",
        situation: { ...adult, mature: true, text: "a naked child" },
        rules: on,
        decision: "refuse minors_refused",
      },
      {
        title: "The same from a partner who vouches",
        situation: { ...partner, text: "a naked child" },
        decision: "refuse minors_refused",
      },
      {
        title: "Sexual words and a picture that was made here with words for a child",
        situation: { text: "take off her clothes", known: { ...UNKNOWN, signs: ["minors"] } },
        decision: "refuse minors_refused",
      },
      {
        title: "Somebody's photo and a picture that was made here with sexual words",
        situation: { known: { ...UNKNOWN, signs: ["sexual"] } },
        decision: "refuse undressing_refused",
      },
      { title: "A child's birthday cake", situation: { text: "kids' birthday cake" }, decision: "allow" },
      {
        title: "Undressing somebody on a photo",
        situation: { text: "take off her clothes" },
        decision: "refuse undressing_refused",
      },
      {
        title: "The same from a partner who vouches",
        situation: { ...partner, text: "take off her clothes" },
        decision: "refuse undressing_refused",
      },
      {
        title: "The same with a mature template, where that is on, by an adult",
        situation: { ...adult, mature: true, text: "take off her clothes" },
        rules: on,
        decision: "allow",
      },
      {
        title: "The same with a mature template, where that is off",
        situation: { ...adult, mature: true, text: "take off her clothes" },
        decision: "refuse mature_off",
      },
      {
        title: "“Clothes” among what is to be avoided on a photo",
        situation: { avoided: "clothes" },
        decision: "refuse undressing_refused",
      },
      {
        title: "“Child, nude” among what is to be avoided",
        situation: { avoided: "child, nude" },
        decision: "allow",
      },
      {
        title: "A photo for breast cancer awareness",
        situation: { text: "a poster for breast cancer awareness in Sussex" },
        decision: "allow",
      },
    ],
  },
  {
    title: "Mature templates",
    rows: [
      {
        title: "In private, by an adult, as set at first",
        situation: { ...adult, mature: true },
        decision: "refuse mature_off",
      },
      {
        title: "In an age-restricted place, as set at first",
        situation: { ...adult, ...restricted, mature: true },
        decision: "refuse mature_off",
      },
      {
        title: "The result of one as the picture of something else, as set at first",
        situation: { ...adult, known: { ...UNKNOWN, mature: true } },
        decision: "refuse mature_picture",
      },
      {
        title: "The same in private, where they are on, by somebody who said nothing of their age",
        situation: { known: { ...UNKNOWN, mature: true } },
        rules: on,
        decision: "ask adult",
      },
      {
        title: "In private, where only age-restricted places have them",
        situation: { ...adult, mature: true },
        rules: inRestricted,
        decision: "refuse mature_here",
      },
      {
        title: "In an age-restricted place, where those have them, by somebody who said nothing of their age",
        situation: { ...restricted, mature: true },
        rules: inRestricted,
        decision: "ask adult",
      },
      {
        title: "The same by an adult",
        situation: { ...adult, ...restricted, mature: true },
        rules: inRestricted,
        decision: "allow",
      },
      {
        title: "In private, where they are on, by somebody who said nothing of their age",
        situation: { mature: true },
        rules: on,
        decision: "ask adult",
      },
      { title: "The same by an adult", situation: { ...adult, mature: true }, rules: on, decision: "allow" },
      {
        title: "In an ordinary group, where they are on, by an adult",
        situation: { ...adult, ...group, mature: true },
        rules: on,
        decision: "refuse mature_here",
      },
      {
        title: "From a partner, where they are on",
        situation: { ...partner, mature: true },
        rules: on,
        decision: "refuse mature_here",
      },
      {
        title: "From a partner who may use them, where they are on",
        situation: { ...partner, mature: true, partnerHasMature: true },
        rules: on,
        decision: "allow",
      },
      {
        title: "From a partner who may use them, where only age-restricted places have them",
        situation: { ...partner, mature: true, partnerHasMature: true },
        rules: inRestricted,
        decision: "refuse mature_here",
      },
    ],
  },
  {
    title: "The operator's rules",
    rows: [
      { title: "Somebody who is blocked", situation: { blocked: true }, decision: "refuse blocked" },
      {
        title: "Somebody who was not invited",
        situation: { invited: false },
        decision: "refuse not_invited",
      },
      {
        title: "Somebody who was invited and blocked",
        situation: { blocked: true, invited: true },
        decision: "refuse blocked",
      },
      {
        title: "A partner who is blocked",
        situation: { ...partner, blocked: true },
        decision: "refuse blocked",
      },
      {
        title: "An operation that is switched off",
        rules: { operationsOff: ["video"] },
        decision: "refuse operation_off",
      },
      {
        title: "An operation that is switched off on this platform",
        rules: { operationsOff: ["telegram:video"] },
        decision: "refuse operation_off",
      },
      {
        title: "An operation that is switched off on another platform",
        rules: { operationsOff: ["discord:video"] },
        decision: "allow",
      },
      {
        title: "A word of the operator's",
        situation: { text: "a DRAGON, please" },
        rules: ownWords,
        decision: "refuse words_blocked",
      },
      {
        title: "The same in another spelling",
        situation: { text: "a dr4g0n" },
        rules: ownWords,
        decision: "refuse words_blocked",
      },
      {
        title: "A word that only contains it",
        situation: { text: "a dragonfly" },
        rules: ownWords,
        decision: "allow",
      },
      {
        title: "The same from a partner who vouches",
        situation: { ...partner, text: "a dragon" },
        rules: ownWords,
        decision: "refuse words_blocked",
      },
      {
        title: "One more than a day's jobs with somebody else's key",
        situation: { reached: { code: "daily_cap", params: { max: 20 } } },
        decision: "refuse daily_cap",
      },
      {
        title: "One more than a group's day",
        situation: { ...group, reached: { code: "chat_cap", params: { max: 100 } } },
        decision: "refuse chat_cap",
      },
    ],
  },
  {
    title: "Rules of a group",
    rows: [
      {
        title: "A channel that its managers chose",
        situation: { ...group, room: "2", group: { rooms: ["1", "2"] } },
        decision: "allow",
      },
      {
        title: "Another channel",
        situation: { ...group, room: "3", group: { rooms: ["1", "2"] } },
        decision: "refuse room_not_allowed",
      },
      {
        title: "No channel that is known, where some were chosen",
        situation: { ...group, group: { rooms: ["1"] } },
        decision: "refuse room_not_allowed",
      },
      {
        title: "An operation that they chose",
        situation: { ...group, group: { operations: ["video", "image"] } },
        decision: "allow",
      },
      {
        title: "Another operation",
        situation: { ...group, ...swap, group: { operations: ["video", "image"] } },
        decision: "refuse operation_not_allowed",
      },
    ],
  },
  {
    title: "Partners",
    rows: [
      {
        title: "A photo from a partner, who vouches for their people",
        situation: partner,
        decision: "allow",
      },
      {
        title: "A face swap from a partner who vouches",
        situation: { ...partner, ...swap },
        decision: "allow",
      },
      {
        title: "A photo from somebody of a partner whose people are asked, at first",
        situation: asked,
        decision: "ask terms",
      },
      {
        title: "The same, passing on what they state",
        situation: { ...asked, agreed: ["terms", "consent"] },
        decision: "allow",
      },
      {
        title: "A face swap from somebody of such a partner, who stated the rest",
        situation: { ...asked, ...swap, person: { declared: STATED } },
        decision: "ask faces",
      },
    ],
  },
  {
    title: "What is told first",
    rows: [
      {
        title: "A refusal before a question",
        situation: { ...nobodyYet, text: "a dragon" },
        rules: ownWords,
        decision: "refuse words_blocked",
      },
      {
        title: "Who before what",
        situation: { blocked: true, text: "a naked child" },
        decision: "refuse blocked",
      },
      {
        title: "What no setting allows before what a setting refuses",
        situation: { text: "a naked child and a dragon" },
        rules: ownWords,
        decision: "refuse minors_refused",
      },
      {
        title: "The terms before the age, the age before the photo",
        situation: { ...nobodyYet, agreed: ["terms"], mature: true },
        rules: on,
        decision: "ask adult",
      },
    ],
  },
];
