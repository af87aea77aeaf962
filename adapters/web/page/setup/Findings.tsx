import { messageKey, type Translate } from "../../../../src/common/i18n.ts";
import type { Finding } from "../../../../src/seam/surface/setup.ts";

/** What the checks found, each with where to go on from there. */
export function Findings({ say, findings }: { say: Translate; findings: readonly Finding[] }) {
  return (
    <ul class="setup-findings" aria-live="polite">
      {findings.map(({ check, said, link }) => (
        <li key={check.name} class={check.ok ? "good" : "bad"}>
          {say(said.key, said.params)}
          {link !== undefined && (
            <>
              {" "}
              <a class="link" href={link} target="_blank" rel="noreferrer">
                {say(messageKey(`setup.link.${check.name}`))}
              </a>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
