import { embedScript, frameScript } from '../../generated/embed-scripts.ts'
import type { Answer } from '../../http/answer.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import { openScriptHeaders } from './track-script.ts'

const scripts: Readonly<Record<string, ReturnType<typeof contentOf>>> = {
  'embed.js': contentOf(embedScript, openScriptHeaders),
  'frame.js': contentOf(frameScript, openScriptHeaders),
}

/**
 * `embed.js`, for every site, and `frame.js`, for a page in its frame; null for others. The frame itself is only for
 * origins that the program names.
 */
export function answerEmbedScript(incoming: Incoming, name: string): Answer | null {
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  if (!script) return null
  return isRead(incoming) ? answerContent(incoming, script) : methodNotAllowed('GET, HEAD')
}
