import { useState } from "preact/hooks";
import type { Uncovered } from "../../../../../src/seam/access/console.ts";
import { posting } from "../../src/state/ask.ts";
import { CONSOLE_API, useDesk } from "../state/context.ts";
import { Facts } from "./Facts.tsx";
import { Fault } from "./Fault.tsx";
import { named } from "./words.ts";
import { useTask } from "../state/useTask.ts";

/** What a job's person wrote and gave, and what was made of it. */
export function Covered({ job }: { job: string }) {
  const { say } = useDesk();
  return (
    <section class="part">
      <h2>{say("console.covered")}</h2>
      <Cover job={job} />
    </section>
  );
}

/** The same within something else: covered until somebody asks, which the audit keeps. */
export function Cover({ job }: { job: string }) {
  const { ask, say, may, stillIn } = useDesk();
  const [shown, setShown] = useState<Uncovered>();
  const { busy, problem, run } = useTask();
  const path = `jobs/${encodeURIComponent(job)}`;
  return (
    <>
      {!shown && <p>{say(may("uncover") ? "console.covered.hint" : "console.covered.not_yours")}</p>}
      {!shown && may("uncover") && (
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={busy}
            onClick={() => run(async () => setShown(await ask<Uncovered>(`${path}/uncover`, posting({}))))}
          >
            {say("console.uncover")}
          </button>
        </div>
      )}
      <Fault problem={problem} />
      {shown && (
        <>
          <Facts
            facts={Object.entries(shown.values).map(([field, value]) => [
              named(say, "field", field),
              <span key={field} dir="auto">
                {typeof value === "string" ? value : JSON.stringify(value)}
              </span>,
            ])}
          />
          <div class="pictures">
            {numbers(shown.given).map((index) => (
              <img
                key={`given ${index}`}
                src={`${CONSOLE_API}/${path}/given/${index}`}
                alt={say("console.given", { number: index + 1 })}
                onError={stillIn}
              />
            ))}
            {numbers(shown.made).map((index) => {
              const src = `${CONSOLE_API}/${path}/made/${index}`;
              const name = say("console.made", { number: index + 1 });
              return shown.makes === "video" ? (
                <video
                  key={src}
                  src={src}
                  aria-label={name}
                  controls
                  muted
                  preload="metadata"
                  onError={stillIn}
                />
              ) : (
                <img key={src} src={src} alt={name} onError={stillIn} />
              );
            })}
          </div>
        </>
      )}
    </>
  );
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
