import { OPERATOR_ROLES, type OperatorRole } from "../../../../../src/seam/access/operators.ts";
import { useDesk } from "../state/context.ts";

/** Chooses a role. */
export function RoleField(props: { value: OperatorRole; onChoose: (role: OperatorRole) => void }) {
  const { say } = useDesk();
  const { value, onChoose } = props;
  return (
    <label class="field">
      <span class="field-label">{say("console.operators.role")}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value as OperatorRole)}>
        {OPERATOR_ROLES.map((role) => (
          <option key={role} value={role}>
            {say(`console.role.${role}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
