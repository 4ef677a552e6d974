// Selects the targets of a policy, or any departments and people: chips on the
// page, and a dialog to select them. The form submits them as one field.
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogPortal, DialogTitle, DialogTrigger } from "@radix-ui/react-dialog";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import css from "../static/css/target-dialog.css" with { type: "text" };
import { adoptStyles } from "./adopt.ts";
import { Field } from "./field.tsx";
import { Icon } from "./icons.tsx";
import type { Frame } from "./mount.tsx";
import { useDirectory } from "./target-directory.ts";
import { clearBeforeClosing } from "./target-field.tsx";
import { TargetChips } from "./target-list.tsx";
import { TargetPicker } from "./target-picker.tsx";
import type { Texts } from "./target-texts.ts";
import { type Chosen, chosenOf, isMoving, keyOf, posted, postedIDs, type Target, type TargetType, without } from "./targets.ts";

type Props = {
  name: string; // name of the field: a JSON array of {type, id, include_children}
  ids?: true; // the field has only ids, "7, 9": for a single type
  targets: Target[];
  types?: TargetType[]; // what can be selected; both if missing
  departmentsURL?: string;
  usersURL?: string;
  takenURL?: string; // without it nothing is taken, and no field "move" is sent
  max?: number | null;
  disabled?: boolean;
  texts: Texts;
  frame: Frame;
};

const BOTH: TargetType[] = ["department", "user"];

// Props of the next page replace the selection on this one.
export default function TargetDialog(props: Props) {
  return <Chooser key={JSON.stringify([props.name, props.targets])} {...props} />;
}

function Chooser({ name, ids, targets, types = BOTH, departmentsURL, usersURL = "", takenURL, max = null, disabled = false, texts, frame }: Props) {
  const [chosen, setChosen] = useState(() => chosenOf(targets));
  const [open, setOpen] = useState(false);
  const [directory, reload] = useDirectory(open, types.includes("department") ? departmentsURL : undefined, takenURL, frame.request);
  const trigger = useRef<HTMLButtonElement>(null);
  const apply = (next: Chosen) => (setChosen(next), setOpen(false));
  const remove = (target: Target) => setChosen(without(chosen, (other) => keyOf(other) === keyOf(target)));

  return (
    <div className="targets">
      <Field name={name} value={ids ? postedIDs(chosen) : posted(chosen)} disabled={disabled} />
      {takenURL && <Field name="move" value={isMoving(chosen) ? "1" : ""} disabled={disabled} />}
      <TargetChips chosen={chosen} remove={disabled ? undefined : remove} showAll={() => setOpen(true)} fallback={() => trigger.current} texts={texts} />
      <Dialog open={open} onOpenChange={setOpen}>
        {!disabled && (
          <DialogTrigger ref={trigger} className="btn">
            <Icon name="plus" />
            {texts.choose}
          </DialogTrigger>
        )}
        {open && (
          <Floating close={() => setOpen(false)} texts={texts}>
            <TargetPicker initial={chosen} types={types} max={max} directory={directory} reload={reload} usersURL={usersURL} request={frame.request} texts={texts} apply={apply} cancel={() => setOpen(false)} />
          </Floating>
        )}
      </Dialog>
    </div>
  );
}

// Floating renders the dialog above the page, in an element of its own at the
// end of the body: a swap may remove that element, but React could not handle
// the removal of the body itself. Clicks outside of the dialog do nothing.
function Floating({ close, texts, children }: { close: () => void; texts: Texts; children: ReactNode }) {
  const host = useMemo(createHost, []);
  useLayoutEffect(() => {
    document.body.append(host);
    return () => host.remove();
  }, [host]);
  return (
    <DialogPortal container={host}>
      <Surface close={close} texts={texts}>{children}</Surface>
    </DialogPortal>
  );
}

function createHost(): HTMLElement {
  adoptStyles(css);
  return document.createElement("div");
}

function Surface({ close, texts, children }: { close: () => void; texts: Texts; children: ReactNode }) {
  useEffect(yieldToPageDialogs, []);
  const begin = (event: Event) => {
    const first = (event.target as Element).querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [data-first]");
    if (!first) return;
    event.preventDefault();
    first.focus();
  };
  return (
    <div>
      <div className="target-scrim" />
      <DialogContent asChild onOpenAutoFocus={begin} onInteractOutside={(event) => event.preventDefault()} onEscapeKeyDown={clearBeforeClosing}>
        <dialog open className="dialog target-dialog" onClose={close}>
          <header>
            <div>
              <DialogTitle>{texts.title}</DialogTitle>
              <DialogDescription className="sub">{texts.text}</DialogDescription>
            </div>
            <DialogClose className="btn btn-quiet btn-icon" aria-label={texts.close}>
              <Icon name="x" />
            </DialogClose>
          </header>
          {children}
        </dialog>
      </DialogContent>
    </div>
  );
}

// yieldToPageDialogs lets the page's own dialogs open above this one, such as
// the one that asks for the password: screen readers can reach them, and Escape
// closes them first.
function yieldToPageDialogs(): () => void {
  document.querySelectorAll("body > dialog[aria-hidden]").forEach((dialog) => dialog.removeAttribute("aria-hidden"));
  const pass = (event: KeyboardEvent) => void (event.key === "Escape" && document.querySelector("dialog:modal") && event.stopPropagation());
  window.addEventListener("keydown", pass, true);
  return () => window.removeEventListener("keydown", pass, true);
}
