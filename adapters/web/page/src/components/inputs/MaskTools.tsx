import { useChat } from "../../state/context.ts";
import { CELLS, cellsOf } from "../../form/marks.ts";
import type { Mark } from "../../form/paint.ts";
import { Segments } from "./ChoiceInput.tsx";
import { Icon } from "../base/Icon.tsx";

/** What one marks with: brush and eraser, whole regions for whoever cannot or will not paint, and a way back. */
export function MaskTools(props: {
  marks: readonly Mark[];
  erases: boolean;
  /** In hundredths of the picture's shorter side. */
  thickness: number;
  onErases: (erases: boolean) => void;
  onThickness: (thickness: number) => void;
  onMark: (mark: Mark) => void;
  onUndo: () => void;
  onImage: (file: File) => void;
}) {
  const { say } = useChat();
  const { marks, onMark } = props;
  const cells = cellsOf(marks);
  const nothing = marks.length === 0;
  return (
    <div class="mask-tools">
      <fieldset class="field">
        <legend class="hidden">{say("page.mask.tool")}</legend>
        <Segments
          id="mask-tool"
          open={false}
          value={props.erases ? "erase" : "paint"}
          choices={[
            { value: "paint", title: say("page.mask.paint") },
            { value: "erase", title: say("page.mask.erase") },
          ]}
          onValue={(tool) => props.onErases(tool === "erase")}
        />
      </fieldset>
      <label class="field">
        <span class="field-label">{say("page.mask.thickness")}</span>
        <input
          type="range"
          min={1}
          max={40}
          value={props.thickness}
          onInput={({ currentTarget }) => props.onThickness(currentTarget.valueAsNumber)}
        />
      </label>
      <div class="actions">
        <button type="button" class="button" disabled={nothing} onClick={props.onUndo}>
          <Icon name="undo" />
          {say("page.undo")}
        </button>
        <button type="button" class="button" disabled={nothing} onClick={() => onMark({ kind: "clear" })}>
          <Icon name="close" />
          {say("page.mask.clear")}
        </button>
        <button type="button" class="button" onClick={() => onMark({ kind: "invert" })}>
          <Icon name="contrast" />
          {say("page.mask.invert")}
        </button>
        <label class="button file-button">
          <Icon name="file" />
          {say("page.mask.file")}
          <input
            type="file"
            accept="image/*"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) props.onImage(file);
              currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <fieldset class="field">
        <legend class="field-label">{say("page.mask.cells")}</legend>
        <div class="cells">
          {CELLS.map((cell) => (
            <button
              key={cell}
              type="button"
              aria-label={say(`page.mask.cell.${cell}`)}
              aria-pressed={cells[cell]}
              onClick={() => onMark({ kind: "cell", cell, on: !cells[cell] })}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}
