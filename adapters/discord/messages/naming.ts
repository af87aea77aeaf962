import type { Memory } from "../../../src/common/memory.ts";
import type { Fact } from "../../../src/seam/views.ts";
import type { SaidView } from "../../kit/messages/channel.ts";
import { isPublic, linkTo } from "./posted.ts";
import { deliveriesIn } from "./results-memory.ts";

/** A notice in which the place of a result is the address of its message, where others can open that. */
export async function withPlaces(memory: Memory, view: SaidView): Promise<SaidView> {
  if (view.kind !== "notice" || !view.facts) return view;
  return { ...view, facts: await Promise.all(view.facts.map((fact) => withPlace(memory, fact))) };
}

async function withPlace(memory: Memory, fact: Fact): Promise<Fact> {
  const { key, params = {} } = fact.value;
  if (key !== "fact.place") return fact;
  const receipt = (await deliveriesIn(memory).find(String(params["job"])))?.receipt;
  if (!receipt || !isPublic(receipt)) return fact;
  return { ...fact, value: { key, params: { ...params, place: linkTo(receipt) } } };
}
