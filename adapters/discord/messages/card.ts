import {
  type APIComponentInContainer,
  type APIMediaGalleryItem,
  ComponentType,
  time,
  TimestampStyles,
} from "discord.js";
import { cut } from "../../../src/seam/text/cut.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { ProgressView, ResultView } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { MessageBody } from "../api/api.ts";
import { DISCORD } from "../api/limits.ts";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { buttonRows } from "./components.ts";
import { pingAction } from "../../kit/results/ping.ts";
import { wordsOf } from "../../kit/results/words.ts";
import { isHidden, isPublic } from "./posted.ts";
import { bodyWith, escapeMarkdown, galleryOf, mediaOf, textOf } from "./render.ts";
import { currentTime } from "../../../src/common/time.ts";

/** What a card shows beside its words, by the names of files in its message. */
export interface CardFiles {
  /** What was made. */
  readonly made: readonly string[];
  /** What it was made of; left out where that is not shown. */
  readonly source?: string;
  /** What is to be known of what was made, as Discord formats it. */
  readonly notes: readonly string[];
}

const NO_FILES: CardFiles = { made: [], notes: [] };

interface CardParts {
  readonly services: Pick<Services, "intake">;
  readonly say: Translate;
  readonly at: DiscordAddress | DiscordReceipt;
  readonly files?: CardFiles;
  /** What stands before it, such as a mention. */
  readonly opening?: string;
}

/** A job in one message: what is made of which words and picture, for whom, since when, how far it is, and the result. */
export function cardOf(
  { services, say, at, files: { made, source, notes } = NO_FILES, opening = "" }: CardParts,
  view: ProgressView | ResultView,
): MessageBody {
  const { job } = view;
  const isShared = isPublic(at);
  const [name = "", ...facts] = linesOf(say, view, currentTime());
  const words = wordsOf(services.intake, say, job);
  const asked = isShared && words !== "" ? `||${escapeMarkdown(words)}||` : escapeMarkdown(words);
  // A result that an operator looks at has none of its owner's buttons: they did not ask for it.
  const isTheirs = view.kind === "progress" || view.actions.length > 0;
  const who = isShared && isTheirs && at.user !== undefined ? [`<@${at.user}>`] : [];
  const since = time(Math.floor(job.createdAt / 1_000), TimestampStyles.RelativeTime);
  const head = textOf(
    [
      `${opening}${escapeMarkdown(name)}`,
      ...(asked === "" ? [] : [asked]),
      ...facts.map(escapeMarkdown),
      `-# ${[...who, since].join(" · ")}`,
      ...(isUnderway(view) && isHidden(at) ? [`-# ${lateIn(say)}`] : []),
      ...notes,
    ].join("\n"),
  );
  const spoiler = view.kind === "result" && view.spoiler;
  // What is covered is not told either.
  const description = cut([name, ...(words === "" || spoiler ? [] : [words])].join(" · "), DISCORD.alt);
  const items = made.map((file): APIMediaGalleryItem => ({ media: mediaOf(file), description, spoiler }));
  const top: APIComponentInContainer =
    source === undefined
      ? head
      : {
          type: ComponentType.Section,
          components: [head],
          accessory: { type: ComponentType.Thumbnail, media: mediaOf(source), spoiler },
        };
  const components = [top, ...galleryOf(items), ...buttonRows(say, actionsOf(view, at))];
  return bodyWith([{ type: ComponentType.Container, components }]);
}

/** Whether it is still being made. */
const isUnderway = (view: ProgressView | ResultView) => view.kind === "progress" && view.phase !== "sending";

/** Where what takes longer than a message can be changed that only one person sees is found: that message stays as it is. */
const lateIn = (say: Translate) =>
  escapeMarkdown(say("discord.late", { ms: DISCORD.tokenMs, jobs: say("discord.name.jobs") }));

/** What can be done with it; while it is being made, to be called when that is done, but for what only one person sees. */
function actionsOf(view: ProgressView | ResultView, at: CardParts["at"]) {
  const { actions = [] } = view;
  if (!isUnderway(view) || at.user === undefined || !(isPublic(at) || at.inConversation)) return actions;
  return [...actions, pingAction(view.job, at.user)];
}
