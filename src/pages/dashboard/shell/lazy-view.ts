import { lazyRouteComponent as lazyComponent } from '@tanstack/react-router'
import { texts } from '../texts.ts'

/** The code of a view could not be loaded: the service is unreachable, or was updated since the page was loaded. */
export class ViewNotLoaded extends Error {}

/** Without it, the router reloads the page, which shows the browser's error page while the service is unreachable. */
export const loaded = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(() => {
    throw new ViewNotLoaded(texts.failures.viewNotLoaded)
  })

/** A view whose code is loaded when it is opened. */
export const lazyRouteComponent = ((load: () => Promise<Record<string, unknown>>, name: string) =>
  lazyComponent(() => loaded(load), name)) as typeof lazyComponent
