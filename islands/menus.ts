// The profile menu, [popovertarget][data-delay="100"], opens and closes 100 ms
// after the click.

export function menus(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[popovertarget][data-delay]");
    if (!button) return;
    event.preventDefault();
    clearTimeout(timer);
    timer = setTimeout(() => toggle(button), Number(button.dataset["delay"]));
  });
}

function toggle(button: HTMLButtonElement): void {
  const menu = document.getElementById(button.getAttribute("popovertarget")!);
  if (!menu) return;
  if (menu.matches(":popover-open")) menu.hidePopover();
  else menu.showPopover({ source: button });
}
