// Selects people in a form: a search with checkboxes beside the people who are
// selected. The form submits their ids as one field.
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import css from "../static/css/target-dialog.css" with { type: "text" };
import { adoptStyles } from "./adopt.ts";
import { Field } from "./field.tsx";
import type { Frame } from "./mount.tsx";
import { clearBeforeClosing } from "./target-field.tsx";
import { Limit, TargetChips } from "./target-list.tsx";
import { TargetPeople } from "./target-people.tsx";
import type { Texts } from "./target-texts.ts";
import { type Chosen, chosenOf, keyOf, postedIDs, type Taken, type Target, without } from "./targets.ts";
import { fill } from "./words.ts";

type Props = {
  name: string; // name of the field: "7, 9"
  id: string; // of the search, which the summary of errors leads to
  describedBy: string;
  invalid: boolean;
  targets: Target[];
  usersURL: string;
  max: number;
  texts: Texts;
  frame: Frame;
};

const NONE: Taken = new Map();

// Props of the next page replace the selection on this one.
export default function PeoplePicker(props: Props) {
  return <Picker key={JSON.stringify([props.name, props.targets])} {...props} />;
}

function Picker({ name, id, describedBy, invalid, targets, usersURL, max, texts, frame }: Props) {
  const [chosen, setChosen] = useState(() => chosenOf(targets));
  const [refused, setRefused] = useState(false);
  const find = useRef<HTMLElement>(null);
  const label = useId();
  const search = () => find.current?.querySelector<HTMLElement>("[data-first]");

  const change = (next: Chosen) => (setRefused(false), setChosen(next));
  const remove = (target: Target) => change(without(chosen, (other) => keyOf(other) === keyOf(target)));
  const toggle = (target: Target) => {
    if (chosen.has(keyOf(target))) remove(target);
    else if (chosen.size >= max) setRefused(true);
    else change(new Map(chosen).set(keyOf(target), target));
  };

  useLayoutEffect(() => adoptStyles(css), []);
  // A dialog begins with the focus on its text, because the search is not there yet.
  useEffect(() => {
    if (document.activeElement?.matches("p[autofocus]")) search()?.focus();
  }, []);

  return (
    <>
      <Field name={name} value={postedIDs(chosen)} />
      <section ref={find} className="people-find" aria-labelledby={`${label}-find`} onKeyDown={handleKey}>
        <h3 className="label" id={`${label}-find`}>{texts.title}</h3>
        <TargetPeople
          url={usersURL}
          request={frame.request}
          chosen={chosen}
          taken={NONE}
          toggle={toggle}
          field={{ id, "aria-describedby": describedBy, "aria-invalid": invalid || undefined }}
          texts={texts}
        />
      </section>
      <section className="people-chosen targets" aria-labelledby={`${label}-chosen`}>
        <div className="row row-between">
          <h3 className="label" id={`${label}-chosen`}><span className="required">{texts.label}</span> <span className="count" aria-hidden="true">{chosen.size}</span></h3>
          <span className="vh" role="status">{fill(texts.chosen_count, { n: chosen.size })}</span>
          {chosen.size > 0 && <button type="button" className="btn btn-quiet btn-small" onClick={() => (change(new Map()), search()?.focus())}>{texts.clear}</button>}
        </div>
        <TargetChips chosen={chosen} remove={remove} limit={Infinity} withPath fallback={search} texts={texts} />
        <Limit refused={refused} max={max} texts={texts} />
      </section>
    </>
  );
}

// handleKey prevents Enter in the search or on a checkbox from submitting the form around
// them, and Escape from closing its dialog before the search is empty.
function handleKey({ key, target, nativeEvent }: KeyboardEvent): void {
  if (key === "Escape") clearBeforeClosing(nativeEvent);
  else if (key === "Enter" && target instanceof HTMLInputElement && !nativeEvent.isComposing) nativeEvent.preventDefault();
}
