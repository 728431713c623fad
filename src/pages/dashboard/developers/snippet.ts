import { knownLinkParameters } from '../../../kernel/link-parameters.ts'

/**
 * The elements that a website puts into its `<head>`, as docs/tracking.md explains them. The first script queues calls
 * until the second has loaded.
 */
export const snippetOf = (script: string, publishableKey: string, parameters: readonly string[]): string =>
  `<script>(function(t){t.q=t.q||[];['ready','convert','source','consent'].forEach(function(m){t[m]=t[m]||function(){
var a=arguments;return new Promise(function(r){t.q.push([m,a,r])})}});t.blocked=function(){function run(c){var
f=c[1][c[1].length-1];c[2](null);typeof f=='function'&&f(null)}t.q.forEach(run);t.q={push:run}}})(window.tributary=window.tributary||{})</script>
<script async src="${script}" data-key="${publishableKey}"${paramsOf(parameters)} onerror="tributary.blocked()"></script>`

/** The parameters that the script does not know by itself. */
function paramsOf(parameters: readonly string[]): string {
  const own = parameters.filter((name) => !knownLinkParameters.includes(name))
  return own.length > 0 ? ` data-params="${own.join(', ')}"` : ''
}
