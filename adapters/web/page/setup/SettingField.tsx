import { useId, useState } from "preact/hooks";
import { messageKey, type Translate } from "../../../../src/common/i18n.ts";
import type { Remark, SetupField } from "../../../../src/seam/surface/setup.ts";
import { say as sayMessage } from "../../../../src/seam/text/say.ts";

/** One setting: what is set, who set it, and what it may be instead. */
export function SettingField(props: {
  say: Translate;
  field: SetupField;
  wrong: Remark | undefined;
  /** Takes away what is stored. */
  onRemove: () => void;
}) {
  const { say, field, wrong, onRemove } = props;
  const { name, kind, isSet, isLocked } = field;
  const id = useId();
  const described = [`${id}-hint`, ...(wrong ? [`${id}-wrong`] : [])].join(" ");
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {say(messageKey(`setup.field.${name}`))} <code>{name}</code>
      </label>
      {kind === "people" && !isLocked ? (
        <People say={say} field={field} id={id} described={described} />
      ) : (
        <Box say={say} field={field} id={id} described={described} isWrong={wrong !== undefined} />
      )}
      <small class="hint" id={`${id}-hint`}>
        {say(isLocked ? "setup.locked" : messageKey(`setup.hint.${name}`))}
      </small>
      {wrong && (
        <p class="fault" id={`${id}-wrong`} role="alert">
          {sayMessage(say, wrong)}
        </p>
      )}
      {kind === "secret" && isSet && !isLocked && (
        <button type="button" class="link" onClick={onRemove}>
          {say("setup.remove")}
        </button>
      )}
    </div>
  );
}

/** Which keyboard a phone shows. */
const INPUT_MODES: Partial<Record<SetupField["kind"], "decimal" | "numeric" | "url">> = {
  address: "url",
  number: "numeric",
  tokens: "decimal",
};

interface BoxProps {
  say: Translate;
  field: SetupField;
  id: string;
  described: string;
}

function Box({ say, field, id, described, isWrong }: BoxProps & { isWrong: boolean }) {
  const { name, kind, value, fallback, isSet, isLocked } = field;
  const attributes = {
    id,
    name,
    spellcheck: false,
    disabled: isLocked,
    "aria-describedby": described,
    "aria-invalid": isWrong,
  };
  if (kind === "secret") {
    const placeholder = isSet ? say("setup.kept") : "";
    return <input {...attributes} type="password" autocomplete="new-password" placeholder={placeholder} />;
  }
  return (
    <input
      {...attributes}
      type="text"
      inputMode={INPUT_MODES[kind] ?? "text"}
      autocomplete="off"
      defaultValue={value ?? ""}
      placeholder={fallback}
    />
  );
}

/** Everybody, or only some; where nobody is in force by itself, nobody too. */
function People({ say, field, id, described }: BoxProps) {
  const { name, value, fallback } = field;
  const given = value ?? fallback;
  const [who, setWho] = useState(given === "all" ? "all" : given === "" ? "" : "list");
  return (
    <>
      <select
        id={id}
        {...(who === "list" ? {} : { name })}
        value={who}
        onChange={(event) => setWho(event.currentTarget.value)}
        aria-describedby={described}
      >
        {fallback === "" && <option value="">{say("setup.people.nobody")}</option>}
        <option value="all">{say("setup.people.all")}</option>
        <option value="list">{say("setup.people.list")}</option>
      </select>
      {who === "list" && (
        <input
          name={name}
          type="text"
          aria-label={say("setup.people.list")}
          defaultValue={given === "all" ? "" : given}
          placeholder="telegram:12345,discord:98765"
          required
          spellcheck={false}
          autocomplete="off"
        />
      )}
    </>
  );
}
