import { ApiError } from './errors.ts'

/** Larger responses are refused, because parsing them would block the page. */
const maxBytes = 24 * 1024 * 1024

/**
 * Fetches with a limit on the size of the response.
 *
 * @throws ApiError for a larger response, and without a response
 */
export async function boundedFetch(request: Request): Promise<Response> {
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new ApiError({
      status: 0,
      code: 'NO_RESPONSE',
      message: 'The server does not answer. Check the connection and try again.',
    })
  }
  const { body, status, headers } = response
  // Chromium gives a response 204 an empty body, which a new response must not have.
  if (body === null || [204, 205, 304].includes(status)) return response
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(tooLarge())
      else controller.enqueue(chunk)
    },
  })
  return new Response(body.pipeThrough(counter), { status, headers })
}

const tooLarge = () =>
  new ApiError({
    status: 0,
    code: 'RESPONSE_TOO_LARGE',
    message: 'The response is over 24 MiB, which the console does not show. Use the API.',
  })
