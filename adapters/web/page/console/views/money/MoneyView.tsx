import "uplot/dist/uPlot.min.css";
import {
  type CostlyJob,
  type Money,
  MONEY_PERIODS,
  type MoneyPeriod,
  type MoneySums,
  type SpentBudget,
} from "../../../../../../src/seam/access/money.ts";
import { partnerIdOf, partnerUser } from "../../../../../../src/seam/access/partners.ts";
import type { UserId } from "../../../../../../src/seam/values.ts";
import { CONSOLE_API, useDesk } from "../../state/context.ts";
import { linkTo } from "../../state/place.ts";
import { saveFrom } from "../../state/save.ts";
import { useLoaded } from "../../state/useLoaded.ts";
import { useTask } from "../../state/useTask.ts";
import { Budgets } from "../../parts/Budgets.tsx";
import { DayPlot } from "./DayPlot.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { JobLink, Person } from "../../parts/JobTable.tsx";
import { SumsTable } from "./SumsTable.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { atStart, dayText, named, personText, timeText } from "../../parts/words.ts";

/** What tokens go to, and what may still be spent. @param what which days */
export function MoneyView({ what }: { what: string }) {
  const { ask, say } = useDesk();
  const period = MONEY_PERIODS.find((one) => one === what) ?? "month";
  const { value: money, problem } = useLoaded(() => ask<Money>(`money?period=${period}`), [period]);
  return (
    <>
      <Periods chosen={period} />
      <Fault problem={problem} />
      {!money && !problem && <p class="hint">{say("page.opening")}</p>}
      {money && <MoneyParts money={money} />}
    </>
  );
}

/** Which days are shown, and the way to have them as a file. */
function Periods({ chosen }: { chosen: MoneyPeriod }) {
  const desk = useDesk();
  const { say } = desk;
  const saving = useTask();
  const path = `money.csv?period=${chosen}`;
  const name = `reelay-money-${chosen}.csv`;
  function save(event: Event) {
    // A browser would not say why there is no file.
    event.preventDefault();
    saving.run(() => saveFrom(desk, path, name));
  }
  return (
    <nav class="actions" aria-label={say("console.money.period")}>
      {MONEY_PERIODS.map((period) => (
        <a
          key={period}
          class={period === chosen ? "button primary" : "button"}
          href={linkTo("money", period)}
          aria-current={period === chosen ? "true" : undefined}
        >
          {say(`console.money.period.${period}`)}
        </a>
      ))}
      <a class="button" href={`${CONSOLE_API}/${path}`} download={name} onClick={save}>
        {say("console.csv")}
      </a>
      <Fault problem={saving.problem} />
    </nav>
  );
}

function MoneyParts({ money }: { money: Money }) {
  const desk = useDesk();
  const { say, locale } = desk;
  const { days, operations, partners, payers, platforms, since, until } = money;
  const during = { since: dayText(locale, since), until: dayText(locale, until) };
  return (
    <>
      <Totals total={money.total} />
      <ForecastPart forecast={money.forecast} />
      <section class="part">
        <h2>{say("console.money.days")}</h2>
        <p class="hint">{say("console.money.utc")}</p>
        <DayPlot days={days} label={say("console.money.plot", during)} />
        <details>
          <summary>{say("console.money.table")}</summary>
          <SumsTable
            caption={say("console.money.days")}
            title="console.money.day"
            sums={days.toReversed()}
            nameOf={(day) => dayText(locale, day)}
            bare
          />
        </details>
      </section>
      <BudgetsPart money={money} />
      <div class="columns">
        <SumsTable
          caption={say("console.money.operations")}
          title="console.column.operation"
          sums={operations}
          nameOf={(operation) => named(say, "operation", operation)}
        />
        <SumsTable
          caption={say("console.money.platforms")}
          title="console.fact.platform"
          sums={platforms}
          nameOf={(platform) => atStart(locale, named(say, "platform", platform))}
        />
        <SumsTable
          caption={say("console.money.partners")}
          title="console.budget.partner"
          sums={partners}
          nameOf={(partner) => (
            <a href={linkTo("partners", partner)}>{personText(desk, partnerUser(partner))}</a>
          )}
        />
        <SumsTable
          caption={say("console.money.payers")}
          title="console.partners.pays"
          sums={payers}
          nameOf={(payer) =>
            atStart(locale, named(say, "console.money.payer", payer === "" ? "unknown" : payer))
          }
        />
      </div>
      <Costly money={money} />
    </>
  );
}

function Totals({ total }: { total: MoneySums }) {
  const { say } = useDesk();
  return (
    <section class="part">
      <h2>{say("console.money.total")}</h2>
      <Facts
        facts={[
          [say("console.money.spent"), say("fact.tokens", { tokens: total.tokens })],
          [say("console.money.lost"), say("fact.tokens", { tokens: total.failedTokens })],
          [say("console.money.jobs"), say("fact.number", { count: total.jobs })],
          [say("console.money.completed"), say("fact.number", { count: total.completed })],
          [say("console.money.failed"), say("fact.number", { count: total.failed })],
          [say("console.money.unsure"), say("fact.number", { count: total.unsure })],
        ]}
      />
    </section>
  );
}

/** What this month may come to, and how that is reckoned. */
function ForecastPart({ forecast: { soFar, tokens, perDay, days } }: Pick<Money, "forecast">) {
  const { say } = useDesk();
  return (
    <section class="part">
      <h2>{say("console.money.forecast")}</h2>
      <Facts
        facts={[
          [say("console.money.forecast.so_far"), say("fact.tokens", { tokens: soFar })],
          [say("console.money.forecast.end"), tokens === null ? null : say("fact.tokens", { tokens })],
        ]}
      />
      <p class="hint">
        {say(tokens === null ? "console.money.forecast.none" : "console.money.forecast.how", {
          perDay,
          days,
        })}
      </p>
    </section>
  );
}

/** What may be spent now, and how much of it was. */
function BudgetsPart({ money: { budgets, nearAt } }: { money: Money }) {
  const desk = useDesk();
  const { say } = desk;
  const nameOf = ({ by }: SpentBudget) =>
    by === null
      ? { name: say("console.budget.key") }
      : { name: personText(desk, by), shown: <Whose by={by} /> };
  return (
    <section class="part">
      <h2>{say("console.budgets")}</h2>
      <p class="hint">{say(budgets.length === 0 ? "console.budgets.none" : "console.budgets.hint")}</p>
      <Budgets budgets={budgets} nearAt={nearAt} nameOf={nameOf} />
    </section>
  );
}

/** A person, a group or a partner, with the way to them. */
function Whose({ by }: { by: UserId }) {
  const desk = useDesk();
  const name = personText(desk, by);
  const partner = partnerIdOf(by);
  if (partner !== undefined) return <a href={linkTo("partners", partner)}>{name}</a>;
  return desk.may("see-people") ? <a href={linkTo("people", by)}>{name}</a> : <>{name}</>;
}

function Costly({ money: { costly, moreCostly } }: { money: Money }) {
  const { say, locale } = useDesk();
  const columns: Column<CostlyJob>[] = [
    { title: "console.column.job", cell: ({ id }) => <JobLink job={id} /> },
    { title: "console.column.operation", cell: ({ operation }) => named(say, "operation", operation) },
    { title: "console.column.person", cell: ({ user }) => <Person user={user} /> },
    { title: "console.column.asked", cell: ({ createdAt }) => timeText(locale, createdAt) },
    { title: "console.people.reason", cell: ({ error }) => error ?? "–" },
    {
      title: "console.fact.cost",
      isNumber: true,
      cell: ({ cost }) =>
        cost === null ? say("console.money.unknown") : say("fact.tokens", { tokens: cost }),
    },
  ];
  return (
    <>
      <Table
        caption={say("console.money.costly")}
        columns={columns}
        rows={costly}
        keyOf={({ id }) => id}
        none={say("console.money.costly.none")}
      />
      {moreCostly && <p class="hint">{say("console.money.costly.more")}</p>}
    </>
  );
}
