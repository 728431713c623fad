import { embedScript, frameScript } from '../../generated/embed-scripts.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { Handler } from '../handler.ts'
import { openScriptHeaders } from './track-script.ts'

const scripts: Readonly<Record<string, ReturnType<typeof contentOf>>> = {
  'embed.js': contentOf(embedScript, openScriptHeaders),
  'frame.js': contentOf(frameScript, openScriptHeaders),
}

/**
 * Adds `embed.js`, for every site, and `frame.js`, for a page in its frame. The frame itself is only for origins that
 * the program names.
 */
export const withEmbedScript =
  (prefix: string, handle: Handler): Handler =>
  (incoming, state) => {
    const name = incoming.path.startsWith(prefix) ? incoming.path.slice(prefix.length) : ''
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    if (!script) return handle(incoming, state)
    return isRead(incoming) ? answerContent(incoming, script) : methodNotAllowed('GET, HEAD')
  }
