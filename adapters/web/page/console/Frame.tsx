import { useEffect, useRef } from "preact/hooks";
import { LookTools } from "../src/components/base/LookTools.tsx";
import type { Look } from "../src/state/preferences.ts";
import logo from "../icon.svg";
import { useDesk } from "./state/context.ts";
import { operatorText } from "./parts/words.ts";
import { linkTo, usePlace } from "./state/place.ts";
import { SECTIONS } from "./sections.ts";

/** The bar on top, the sections that whoever is signed in may look at, and the one that they look at. */
export function Frame({ look }: { look: Look }) {
  const desk = useDesk();
  const { say, session, may } = desk;
  const { section: wanted, what } = usePlace();
  const sections = SECTIONS.filter(({ act }) => may(act));
  const shown = sections.find(({ id }) => id === wanted) ?? sections[0];
  const heading = useRef<HTMLHeadingElement>(null);
  const nav = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // A narrow window shows a few of them at once.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // A screen reader goes on where the section begins; at the first visit the page itself is read.
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [shown?.id]);

  return (
    <div class="console">
      <div class="skip-links">
        <a class="button" href="#content" onClick={skip(heading)}>
          {say("console.skip")}
        </a>
      </div>
      <header class="top">
        <p class="brand">
          <img src={logo} alt="" width="32" height="32" />
          Reelay
        </p>
        {session.sandbox && <p class="sandbox">{say("page.sandbox")}</p>}
        <div class="top-tools">
          <p class="who">
            {say("console.who", {
              operator: operatorText(desk, session.operator),
              role: say(`console.role.${session.role}`),
            })}
          </p>
          <LookTools say={say} look={look} />
        </div>
      </header>
      <nav class="sections" ref={nav} aria-label={say("console.sections")}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={linkTo(id)} aria-current={id === shown?.id ? "page" : undefined}>
                {say(title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main class="content">
        {shown && (
          <>
            <h1 ref={heading} tabIndex={-1}>
              {say(shown.title)}
            </h1>
            <shown.View key={shown.id} what={what} />
          </>
        )}
      </main>
    </div>
  );
}

/** The fragment says which section is shown: a link to the content within it must not change it. */
const skip = (heading: { readonly current: HTMLElement | null }) => (event: Event) => {
  event.preventDefault();
  heading.current?.focus();
};
