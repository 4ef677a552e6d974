import { useEffect, useRef, useState } from "react";

type Props = { name?: string; value: string; disabled?: boolean | undefined };

// Field is what the form around an island submits. It is a text field that
// nobody sees, not one of type hidden: a browser knows what such a one held
// first, and so does a form that asks before changes are lost. Without a name it
// is not submitted and only tells of changes.
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
