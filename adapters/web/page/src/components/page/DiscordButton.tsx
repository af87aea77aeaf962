import { useEffect, useState } from "preact/hooks";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../../wire.ts";
import { type PageApi, problemOf } from "../../state/api.ts";
import { useOnce } from "../../state/once.ts";

/** Leads to Discord, which says who somebody is, where that was set up. */
export function DiscordButton(props: {
  say: Translate;
  api: PageApi;
  onProblem: (problem: PageProblem) => void;
}) {
  const { say, api, onProblem } = props;
  const [offered, setOffered] = useState(false);
  const { once } = useOnce();
  useEffect(() => {
    // Without an answer there is no button: the sentence above names another way.
    api.signInWays().then(
      ({ discord }) => setOffered(discord),
      () => {},
    );
  }, []);
  async function begin() {
    try {
      location.assign((await api.beginByDiscord()).address);
    } catch (error) {
      onProblem(problemOf(error));
    }
  }
  return offered ? (
    <button class="button primary" type="button" onClick={() => void once(begin)}>
      {say("page.sign_in.discord")}
    </button>
  ) : null;
}
