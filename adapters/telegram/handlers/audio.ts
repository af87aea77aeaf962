import { examined, someField } from "../../../src/chat/examined.ts";
import type { FieldSpec } from "../../../src/chat/fields.ts";
import { isPicture } from "../../../src/chat/filling.ts";
import { sheetOf } from "../../../src/chat/sheet.ts";
import { mediaIn } from "../../../src/chat/values.ts";
import { addressOf } from "../context/address.ts";
import { checkSound, checkTogether, type Sound, soundIn } from "../drafts/audio.ts";
import type { Handler, UpdateContext } from "../context/context.ts";
import type { Draft } from "../drafts/draft.ts";
import { withAnother } from "../drafts/answer.ts";
import { showDraft } from "../drafts/message.ts";
import { answerOf } from "../drafts/target.ts";
import { startWith } from "../drafts/start.ts";
import { inDraft } from "../drafts/tell.ts";

/** A sound: it goes to the draft that takes sounds, else something begins with it and the draft's pictures. */
export const audioHandler: Handler = async (context) => {
  const { message, draft } = (await answerOf(context)) ?? {};
  const sound = message && soundIn(message);
  if (!sound) return false;
  const sheet = draft && sheetOf(draft, context.intake.commands);
  const field = sheet?.fields.find(({ control }) => control === "sounds");
  if (!draft || !sheet || !field) {
    await begin(context, sound, draft);
    return true;
  }
  await inDraft(context, draft, async () => {
    await check(context, sound, field);
    const heard = { ...draft, seconds: { ...draft.seconds, ...secondsOf(sound) } };
    const changed = withAnother(heard, sheet, field, sound.file);
    checkTogether(changed, field);
    await showDraft(context, changed);
  });
  return true;
};

async function begin(context: UpdateContext, sound: Sound, draft: Draft | undefined): Promise<void> {
  const { commands } = context.intake;
  await check(
    context,
    sound,
    someField(context.intake, ({ control }) => control === "sounds"),
  );
  const sheet = draft && sheetOf(draft, commands);
  const pictures = sheet?.fields.filter(isPicture).flatMap(({ name }) => mediaIn(draft?.values[name]));
  const given = { pictures: pictures ?? draft?.given.pictures ?? [], sounds: [sound.file] };
  await startWith(context, addressOf(context.origin.address), given, secondsOf(sound));
}

/** What Telegram says of it first: nothing is fetched for what cannot be used in any case. */
async function check(
  { intake, origin }: UpdateContext,
  sound: Sound,
  field: FieldSpec | undefined,
): Promise<void> {
  if (field?.sounds) checkSound(sound, field.sounds);
  await examined(intake, origin, field, sound.file);
}

function secondsOf({ file, seconds }: Sound): Draft["seconds"] {
  return seconds === undefined ? {} : { [file.id]: seconds };
}
