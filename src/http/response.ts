import { Response as LightResponse } from '@whatwg-node/fetch'

const texts = new WeakMap<Response, string>()

/**
 * A response whose body is a text. It is of Yoga's own class, which is sent as it is; Node's class makes a stream of every
 * body, which takes longer than to execute a small operation.
 */
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
