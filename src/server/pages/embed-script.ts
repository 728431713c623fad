import { embedScript } from '../../generated/embed-scripts.ts'
import type { Answer } from '../../http/answer.ts'
import { answerContent, contentOf } from '../../http/conditional.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import { openScriptHeaders } from './track-script.ts'

const content = contentOf(embedScript, openScriptHeaders)

/** `/portal/embed.js` and `/join/embed.js`, for every site. The frame itself is only for origins that the program names. */
export const answerEmbedScript = (incoming: Incoming): Answer =>
  isRead(incoming) ? answerContent(incoming, content) : methodNotAllowed('GET, HEAD')
