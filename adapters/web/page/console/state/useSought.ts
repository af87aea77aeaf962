import { useEffect, useState } from "preact/hooks";
import { subjectNamed } from "../../../../../src/seam/access/subjects.ts";
import { linkTo } from "./place.ts";

/** Ids as they are given here: of jobs, and of those who come by the page or the terminal. Whatever else is written may be a key. */
const OWN_ID = /^(?:[0-9a-z]{9}[0-9a-f]{10}|web:(?:me|op-[0-9a-f]{8})|cli:[a-z][a-z0-9_-]{0,31})$/;

const isId = (text: string) => OWN_ID.test(text) || subjectNamed(text) !== undefined;

/**
 * What is looked for in a section. An id stands in the address, so that it can be come back to; whatever else somebody writes stands in
 * none: it may be a key, and addresses are kept by browsers and passed on.
 * @param what stands in the address
 */
export function useSought(section: string, what: string) {
  const [written, setWritten] = useState("");
  useEffect(() => {
    if (what !== "") setWritten("");
  }, [what]);
  function seek(text: string) {
    const isAddressed = text === "" || isId(text);
    setWritten(isAddressed ? "" : text);
    const address = linkTo(section, isAddressed ? text : "");
    if (location.hash !== address) location.hash = address;
  }
  return { sought: what === "" ? written : what, seek };
}
