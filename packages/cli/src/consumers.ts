import { z } from 'zod'
import { changeEvents, requestApi, type ApiOptions } from './api.ts'
import { print, printable, success, type Io } from './io.ts'

const pathOf = (name: string, rest = '') => `/consumers/${encodeURIComponent(name)}${rest}`

/** Makes a consumer handle a dead letter again, or all of its dead letters. */
export async function retryDeadLetters(
  name: string,
  sequence: string | undefined,
  options: ApiOptions,
  io: Io,
): Promise<number> {
  const rest =
    sequence === undefined ? '/dead-letters/retries' : `/dead-letters/${encodeURIComponent(sequence)}/retry`
  const events = await changeEvents({ method: 'POST', path: pathOf(name, rest) }, options, io)
  return print({ events }, `Dead letters that are retried: ${events}`, options, io)
}

/** Deletes a dead letter of a consumer. */
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

/** Deletes a consumer that no process runs. */
export async function deleteConsumer(name: string, options: ApiOptions, io: Io): Promise<number> {
  await requestApi({ method: 'DELETE', path: pathOf(name) }, z.undefined(), options, io)
  io.out(`Deleted ${printable(name)}`)
  return success
}
