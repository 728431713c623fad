import { Response as LightResponse } from '@whatwg-node/fetch'

const texts = new WeakMap<Response, string>()

/** A text response of Yoga's class. Node's class makes a stream, which takes longer than a small operation. */
export function textResponse(text: string, init: ResponseInit): Response {
  const response = new LightResponse(text, init)
  texts.set(response, text)
  return response
}

/** A response without a body. */
export const emptyResponse = (init: ResponseInit): Response => new LightResponse(null, init)

/** The text of a response, whose body can still be sent. */
export const peekText = async (response: Response): Promise<string> =>
  texts.get(response) ?? (await response.clone().text())

/** The text of a response, without consuming the body of one that `textResponse` has made. */
export const textOf = async (response: Response): Promise<string> => texts.get(response) ?? (await response.text())
