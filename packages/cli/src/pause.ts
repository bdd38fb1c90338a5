import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { print, printable, type Io } from './io.ts'

const changed = envelopeSchema(z.object({ changed: z.boolean() }))

interface Pause {
  readonly change: 'pause' | 'resume'
  readonly noun: string
  readonly name: string
  /** The path of what is paused. */
  readonly path: string
  readonly json?: object | undefined
}

const words = {
  pause: { done: 'Paused', before: 'was paused before' },
  resume: { done: 'Resumed', before: 'was not paused' },
} as const

/** Pauses or resumes a lane or a destination. */
export async function changePause(
  { change, noun, name, path, json }: Pause,
  options: ApiOptions,
  io: Io,
): Promise<number> {
  const request = { method: 'POST', path: `${path}/${change}`, json } as const
  const { data } = await requestApi(request, changed, options, io)
  const { done, before } = words[change]
  return print(data, data.changed ? `${done} ${printable(name)}` : `The ${noun} ${before}`, options, io)
}
