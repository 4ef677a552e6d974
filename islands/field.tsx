import { useEffect, useRef, useState } from "react";

type Props = { name?: string; value: string; disabled?: boolean | undefined };

// Field is what the form around an island submits. It is an invisible text
// field rather than one of type hidden, whose default value follows its value:
// the check for unsaved changes needs both. Without a name it is not submitted
// and only reports changes.
export function Field({ name, value, disabled }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(value);
  useEffect(() => {
    const field = input.current!;
    if (field.value === value) return;
    field.value = value;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  }, [value]);
  return <input ref={input} name={name} defaultValue={first} disabled={disabled} hidden readOnly />;
}
