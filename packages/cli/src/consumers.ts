import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { printable, printableJson, success, type Io } from './io.ts'

const retried = envelopeSchema(z.object({ events: z.number(), more: z.boolean() }))

const pathOf = (name: string, rest = '') => `/consumers/${encodeURIComponent(name)}${rest}`

/**
 * Makes a consumer handle a dead letter again, or all of its dead letters.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects a request
 */
export async function retryDeadLetters(
  name: string,
  sequence: string | undefined,
  options: ApiOptions,
  io: Io,
): Promise<number> {
  const rest =
    sequence === undefined ? '/dead-letters/retries' : `/dead-letters/${encodeURIComponent(sequence)}/retry`
  let events = 0
  for (let more = true; more;) {
    const { data } = await requestApi({ method: 'POST', path: pathOf(name, rest) }, retried, options, io)
    events += data.events
    more = data.more
  }
  io.out(options.json === true ? printableJson({ events }) : `Dead letters that are retried: ${events}`)
  return success
}

/**
 * Deletes a dead letter of a consumer.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function deleteDeadLetter(
  name: string,
  sequence: string,
  options: ApiOptions,
  io: Io,
): Promise<number> {
  const path = pathOf(name, `/dead-letters/${encodeURIComponent(sequence)}`)
  await requestApi({ method: 'DELETE', path }, z.undefined(), options, io)
  io.out(`Deleted ${printable(sequence)}`)
  return success
}

/**
 * Deletes a consumer that no process runs.
 *
 * @returns the exit code
 * @throws CommandError if the API rejects the request
 */
export async function deleteConsumer(name: string, options: ApiOptions, io: Io): Promise<number> {
  await requestApi({ method: 'DELETE', path: pathOf(name) }, z.undefined(), options, io)
  io.out(`Deleted ${printable(name)}`)
  return success
}
