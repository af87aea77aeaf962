import { useChat } from "../../state/context.ts";
import sample from "../../../sample/sample.jpg";

/** What an empty conversation shows: what this is, and the one thing to do. */
export function Welcome() {
  const { say, session } = useChat();
  return (
    <section class="welcome">
      <div class="welcome-art">
        <img src={sample} alt="" width="640" height="430" />
      </div>
      <h2>{say("page.welcome.title")}</h2>
      <p>{say("page.welcome.text")}</p>
      {session.setup && session.sandbox && (
        <a class="link" href="/setup">
          {say("page.setup")}
        </a>
      )}
    </section>
  );
}
