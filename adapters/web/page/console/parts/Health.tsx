import type { Translate } from "../../../../../src/common/i18n.ts";
import type { Health } from "../../../../../src/seam/access/console.ts";
import { useDesk } from "../state/context.ts";
import { atStart, named } from "./words.ts";

/** One thing that Reelay stands on. */
interface Stand {
  readonly name: string;
  readonly good: boolean;
  readonly found: string;
}

/** After a minute without a sign a process may be gone, in milliseconds. */
const SILENT_MS = 60_000;

/** Whether everything is there that Reelay stands on. */
export function HealthPart({ health }: { health: Health }) {
  const { say, locale } = useDesk();
  const { storage, silentMs, webhooks, platforms, nodes } = health;
  const works = say("console.health.works");
  const stands: readonly Stand[] = [
    {
      name: say("console.health.storage"),
      good: storage,
      found: storage ? works : say("console.health.unread"),
    },
    {
      name: say("console.health.service"),
      good: silentMs === null,
      found: silentMs === null ? works : say("console.health.silent", { ms: silentMs }),
    },
    ...platforms.map(({ name, ready }) => ({
      name: named(say, "platform", name),
      good: ready,
      found: ready ? works : say("console.health.away"),
    })),
    {
      name: say("console.health.webhooks"),
      good: webhooks.givenUp === 0 && (webhooks.due === 0 || webhooks.oldestMs < SILENT_MS),
      found: messagesText(say, webhooks),
    },
    ...nodes.map(({ id, seenMs, isThis }) => ({
      name: say(isThis ? "console.health.this" : "console.health.node", { id: id.slice(0, 8) }),
      good: seenMs < SILENT_MS,
      found: say("console.health.seen", { ms: seenMs }),
    })),
  ];
  return (
    <section class="part">
      <h2>{say("console.health")}</h2>
      <ul class="health">
        {stands.map(({ name, good, found }) => (
          <li key={name} class={good ? "good" : "bad"}>
            <b>{atStart(locale, name)}</b>
            <span>{atStart(locale, found)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How messages to partners do, the worst first. */
function messagesText(say: Translate, { due, oldestMs, givenUp }: Health["webhooks"]): string {
  const wrong = [
    ...(givenUp > 0 ? [say("console.health.given_up", { number: givenUp })] : []),
    ...(due > 0 ? [say("console.health.due", { number: due, ms: oldestMs })] : []),
  ];
  return wrong.length > 0 ? wrong.join(" · ") : say("console.health.all_sent");
}
