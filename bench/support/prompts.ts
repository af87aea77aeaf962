import { drawn } from "../../test/support/keys.ts";

type Draw = ReturnType<typeof drawn>;

/** What people write, in the languages that they write in: who does what, where, how it looks. */
const SENTENCES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  English: [
    ["a lighthouse keeper", "two foxes", "my grandmother", "the key witness", "a glass of water"],
    [
      "walks slowly",
      "connects the dots",
      "turns towards the camera",
      "laughs out loud",
      "opens the door with an old key",
    ],
    [
      "by the sea at dusk",
      "in a neon-lit alley",
      "under cherry blossoms",
      "in heavy snow",
      "on the 23rd floor",
    ],
    [
      "shot on 35mm film",
      "low key lighting",
      "4k, ultra detailed",
      "volumetric light",
      "f/1.8, shallow depth of field",
    ],
  ],
  German: [
    [
      "eine Straßenbahnhaltestelle",
      "mein Schlüsselbund",
      "der Schlüssel zum Glück",
      "zwei Füchse",
      "die Großmutter",
    ],
    [
      "geht langsam vorbei",
      "verbindet Himmel und Meer",
      "lacht in die Kamera",
      "dreht sich um",
      "öffnet die Tür",
    ],
    [
      "im Sonnenuntergang",
      "in der Fußgängerzone",
      "unter Kirschblüten",
      "bei Schneegestöber",
      "am Donaudampfschiff",
    ],
    ["Weitwinkel, 24mm", "warmes Licht", "sehr detailliert", "Schwarzweiß", "wie ein Ölgemälde"],
  ],
  Polish: [
    ["stara latarnia", "klucz wiolinowy", "dwa lisy", "moja babcia", "chrząszcz w trzcinie"],
    ["idzie powoli", "łączy niebo z ziemią", "śmieje się", "otwiera drzwi kluczem", "patrzy w obiektyw"],
    ["nad morzem o zmierzchu", "w Szczebrzeszynie", "pod kwitnącą wiśnią", "w śnieżycy", "na rynku"],
    ["ciepłe światło", "bardzo szczegółowe", "jak obraz olejny", "35mm", "czarno-białe"],
  ],
  Spanish: [
    ["una clave de sol", "dos zorros", "mi abuela"],
    ["camina despacio", "se ríe", "conecta dos mundos"],
    ["junto al mar", "bajo la nieve"],
    ["luz cálida", "muy detallado"],
  ],
  French: [
    ["une clé rouillée", "deux renards", "ma grand-mère"],
    ["marche lentement", "éclate de rire"],
    ["au bord de la mer", "aujourd'hui à l'aube"],
    ["lumière chaude", "très détaillé"],
  ],
  Finnish: [
    ["lentokonesuihkuturbiinimoottoriapumekaanikkoaliupseerioppilas", "kaksi kettua"],
    ["kävelee hitaasti", "nauraa"],
    ["merenrannalla", "epäjärjestelmällisyydessä"],
    ["lämmin valo"],
  ],
  Turkish: [
    ["eski bir anahtar", "iki tilki"],
    ["yavaşça yürüyor", "gülüyor"],
    ["muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine", "denizde"],
    ["sıcak ışık"],
  ],
  Welsh: [
    ["hen oleudy", "dau lwynog"],
    ["yn cerdded yn araf", "yn chwerthin"],
    [
      "yn Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch",
      "ger Ynysybwl",
      "ym Mwlchgwyn",
      "yn Rhosllanerchrugog",
    ],
    ["golau cynnes"],
  ],
  Russian: [
    ["старый маяк", "две лисы"],
    ["медленно идёт", "смеётся"],
    ["у моря на закате", "в снегопаде"],
    ["тёплый свет", "высокая детализация"],
  ],
  Japanese: [
    ["古い灯台", "二匹の狐", "鍵を持つ少女"],
    ["がゆっくり歩く", "が笑う"],
    ["夕暮れの海辺で", "桜の下で"],
    ["暖かい光", "35mmフィルム"],
  ],
  Arabic: [["منارة قديمة", "ثعلبان"], ["يمشي ببطء", "يضحك"], ["عند البحر وقت الغروب"], ["ضوء دافئ"]],
  Hindi: [["पुराना प्रकाशस्तंभ", "दो लोमड़ियाँ"], ["धीरे चलता है", "हँसता है"], ["सूर्यास्त में समुद्र के पास"], ["गर्म रोशनी"]],
  Korean: [
    ["오래된 등대", "여우 두 마리"],
    ["천천히 걷는다", "웃는다"],
    ["해질녘 바닷가에서"],
    ["따뜻한 빛"],
  ],
};

const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

const from = <T>(draw: Draw, list: readonly T[]): T => {
  const one = list[draw(list.length)];
  if (one === undefined) throw new Error("Nothing to draw from.");
  return one;
};
const of = (draw: Draw, alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet.charAt(draw(alphabet.length))).join("");
const uuid = (draw: Draw) => [8, 4, 4, 4, 12].map((length) => of(draw, HEX, length)).join("-");
const several = (draw: Draw, list: readonly string[], least: number, most: number, glue = "") =>
  Array.from({ length: least + draw(most - least + 1) }, () => from(draw, list)).join(glue);

const COMPOUND =
  "Donau Dampf Schiff Fahrts Gesellschafts Kapitäns Mützen Kraftfahrzeug Haftpflicht Versicherungs Rindfleisch Etikettierungs Überwachungs Aufgaben Übertragungs Gesetzes Straßen Bahn Halte Stellen Schlüssel Dienst Anbieter Wechsel Jubiläums Feier".split(
    " ",
  );
const CHEMICAL =
  "methyl ethyl propyl butyl phenyl benzyl chloro bromo fluoro hydroxy amino nitro cyclo hexa tetra penta di tri oxy carboxy sulfonyl phosphoryl imidazol pyridin thiazol".split(
    " ",
  );
const WELSH =
  "Llan fair pwll gwyn gyll goger y chwyrn drob wll tysilio gogo goch Pen rhyn Aber ystwyth Betws coed Cwm bran Ynys ybwl Bwlch Rhos".split(
    " ",
  );
const STYLE =
  "cinematic masterpiece ultra_detailed golden_hour bokeh volumetric anime photoreal studio_ghibli unreal_engine octane_render trending".split(
    " ",
  );
const CAMEL =
  "get set camera position vector matrix element document query selector animation frame request buffer render shader texture uniform color height width".split(
    " ",
  );
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** What stands among words and is none, by kind. */
const HARD: Readonly<Record<string, (draw: Draw) => string>> = {
  "German compounds": (draw) => capital(several(draw, COMPOUND, 3, 7).toLowerCase()),
  "Welsh places": (draw) => capital(several(draw, WELSH, 3, 9).toLowerCase()),
  "names of chemicals": (draw) =>
    `${1 + draw(6)}-(${several(draw, CHEMICAL, 2, 6)})-${several(draw, CHEMICAL, 1, 4)}ol`,
  formulas: (draw) => `C${6 + draw(30)}H${6 + draw(60)}N${1 + draw(6)}O${1 + draw(9)}S`,
  "camera names": (draw) =>
    `${from(draw, ["IMG", "PXL", "DSC", "VID", "MVIMG", "Screenshot"])}_20${10 + draw(16)}${of(draw, "01", 2)}${of(draw, DIGITS, 2)}_${of(draw, DIGITS, 6 + draw(4))}${from(draw, ["", ".jpg", "~2", "_HDR", ".MP.jpg"])}`,
  seeds: (draw) => `${from(draw, ["seed", "--seed", "Seed:", "seed="])} ${of(draw, DIGITS, 6 + draw(18))}`,
  colours: (draw) => `#${of(draw, HEX, 6)} #${of(draw, HEX, 8)}`,
  UUIDs: (draw) => uuid(draw),
  URLs: (draw) =>
    `https://${of(draw, LETTERS, 8)}.example/${of(draw, LETTERS + DIGITS, 24)}/${uuid(draw)}.jpg?sig=${of(draw, HEX, 40)}`,
  "addresses without a scheme": (draw) =>
    `cdn.example.com/${of(draw, LETTERS + DIGITS, 24)}/${of(draw, HEX, 12)}.png`,
  "hash-tags": (draw) =>
    `#${capital(several(draw, CAMEL, 2, 4))}${of(draw, DIGITS, 4)} #${several(draw, CAMEL, 3, 5)}`,
  mentions: (draw) => `@${several(draw, CAMEL, 2, 3, "_")}_${of(draw, DIGITS, 4)}`,
  "base64-looking words": (draw) =>
    Buffer.from(from(draw, CAMEL) + from(draw, CAMEL))
      .toString("base64")
      .slice(0, 16),
  code: (draw) =>
    `const ${from(draw, CAMEL)}${capital(from(draw, CAMEL))}${capital(from(draw, CAMEL))}${capital(from(draw, CAMEL))} = ${from(draw, CAMEL)}${capital(from(draw, CAMEL))}(0x${of(draw, HEX, 8)}, ${of(draw, DIGITS, 3)});`,
  "weights and versions": (draw) =>
    `<lora:${several(draw, STYLE, 1, 2, "_")}_v${draw(9)}.${draw(9)}:0.${1 + draw(9)}> sdxl_${draw(3)}.${draw(9)}_vae_fp16`,
  switches: (draw) =>
    `--ar ${1 + draw(20)}:${1 + draw(20)} --v ${draw(7)}.${draw(9)} --stylize ${of(draw, DIGITS, 3)} --no text,watermark`,
  "joined tags": (draw) => several(draw, STYLE, 4, 9, ","),
  "short commits": (draw) => of(draw, HEX, 7 + draw(6)),
  "product codes": (draw) =>
    `${of(draw, LETTERS.toUpperCase(), 3)}-${of(draw, DIGITS, 4)}-${of(draw, LETTERS.toUpperCase(), 2)}${of(draw, DIGITS, 2)}`,
  "phone and account numbers": (draw) => `+${of(draw, DIGITS, 12)} DE${of(draw, DIGITS, 20)}`,
  "times and places": (draw) =>
    `20${10 + draw(16)}-0${1 + draw(9)}-1${draw(10)}T1${draw(10)}:${of(draw, "012345", 2)}:00.${of(draw, DIGITS, 3)}Z ${of(draw, DIGITS, 2)}.${of(draw, DIGITS, 6)},${of(draw, DIGITS, 2)}.${of(draw, DIGITS, 6)}`,
  paths: (draw) =>
    `C:/Users/${from(draw, CAMEL)}/Pictures/${from(draw, STYLE)}/${from(draw, CAMEL)}_${of(draw, DIGITS, 4)}.png`,
  "mail addresses": (draw) => `${from(draw, CAMEL)}.${from(draw, CAMEL)}${of(draw, DIGITS, 2)}@example.org`,
  "laughter and stretches": (draw) =>
    `${"ha".repeat(8 + draw(20))} sooooo${"o".repeat(draw(30))} nooooo ${"=".repeat(20 + draw(20))}`,
  emoji: (draw) => several(draw, ["🌊", "🌅", "✨", "👩‍🚀", "🏳️‍🌈", "🔑", "🗝️"], 3, 20),
  "words about keys": (draw) =>
    from(draw, [
      "the key is beautiful",
      "my key is underneath the doormat",
      "a key signature in D-minor",
      "der Schlüssel ist verschwunden",
      "klucz jest przekręcany",
      "the key to happiness: patience",
      "token: golden-coin",
      "connect everything with everything",
      "keyboard on fire",
    ]),
};

/** One ordinary prompt: words of a language, and in every second one something that is harder to tell from a key. */
export interface Prompt {
  readonly kind: string;
  readonly language: string;
  readonly text: string;
}

/** Prompts drawn from a seed: the same ones for the same seed. */
export function prompts(count: number, seed: string): readonly Prompt[] {
  const draw = drawn(seed);
  const languages = Object.keys(SENTENCES);
  const kinds = Object.keys(HARD);
  return Array.from({ length: count }, (_, index) => {
    const language = languages[index % languages.length] ?? "English";
    const words = (SENTENCES[language] ?? []).map((part) => from(draw, part)).join(from(draw, [" ", ", "]));
    if (index % 2 === 0) return { kind: "words alone", language, text: words };
    const kind = kinds[(index >> 1) % kinds.length] ?? "UUIDs";
    const hard = HARD[kind]?.(draw) ?? "";
    const text = from(draw, [`${words} ${hard}`, `${hard} ${words}`, `${words}\n${hard}`, hard]);
    return { kind, language, text };
  });
}
