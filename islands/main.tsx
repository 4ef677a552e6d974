// The main script of every page: the frame's behaviour, and the islands that a
// view names. Scripts listen on the document, so that swapped pages need no
// setup.
import { boost } from "./boost.ts";
import { applyColumns, columns } from "./columns.ts";
import { dialogs } from "./dialogs.ts";
import { FAILED } from "./failure.ts";
import { filters, resumeFilters } from "./filters.ts";
import { endLeaving, guard } from "./guard.ts";
import { enhance, loadOnDemand } from "./lazy.ts";
import { lazyPictures } from "./lazy-pictures.ts";
import { Loadbar, watchPages } from "./loadbar.ts";
import { menus } from "./menus.ts";
import { updateIsland } from "./mounts.ts";
import { questions, openDialogs } from "./question.ts";
import { mountIslands } from "./registry.ts";
import { watchRows } from "./rows.ts";
import { SessionWatch } from "./session.ts";
import { toasts, undoByKey } from "./toast.ts";

const loadbar = new Loadbar();
const watch = new SessionWatch();

dialogs();
questions();
menus();
loadOnDemand();
undoByKey();
filters();
guard();
watchPages(loadbar);
watch.start();
boost(loadbar, { mayNavigate: () => watch.mayNavigate(), arrived, updateIsland });
watchRows();
columns();
document.addEventListener(FAILED, endLeaving);

watch.arrived();
enhancePage();
// Islands are mounted after the first paint, because the page that the server
// rendered is already useful.
requestAnimationFrame(() => setTimeout(mountIslands));
document.addEventListener("toggle", mountIslands, true); // a <details> was opened

// arrived is called after each swap, of the whole page or a part of it.
function arrived(whole: boolean, noted: boolean): void {
  if (whole) watch.arrived(noted);
  resumeFilters();
  enhancePage();
  mountIslands();
}

function enhancePage(): void {
  toasts();
  openDialogs();
  applyColumns();
  lazyPictures();
  enhance();
}
