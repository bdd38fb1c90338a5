import type { ProcessState } from '@sallyport/webhooks/processes'
import { z } from 'zod'
import { time } from '@sallyport/internal/resource-fields'

export const processResource = z
  .object({
    id: z.string().meta({ examples: ['01890a5d-ac96-774b-bcce-b302099a8057'] }),
    host: z.string().meta({ examples: ['worker-1'] }),
    pid: z.int().meta({ examples: [4711] }),
    roles: z.array(z.string()).meta({ examples: [['dispatcher', 'gateway']] }),
    version: z
      .string()
      .nullable()
      .meta({ examples: ['1.2.0'] }),
    status: z.enum(['alive', 'dead']).meta({
      description:
        '`dead` after 20 seconds without a heartbeat. A process that stops cleanly is not listed; a dead one is listed for ten minutes if another one has its roles, otherwise for a day.',
    }),
    dependencies: z
      .array(
        z.object({
          name: z.string().meta({ examples: ['bus'] }),
          kind: z
            .string()
            .meta({ description: '`database`, `bus`, `bodies` or `secrets`.', examples: ['bus'] }),
          status: z.enum(['ok', 'unavailable']),
          code: z
            .string()
            .nullable()
            .meta({ description: 'The code or the reason of the last failure.', examples: [null] }),
          detail: z
            .string()
            .nullable()
            .meta({ examples: [null] }),
        }),
      )
      .meta({ description: 'The dependencies as the process sees them.' }),
    notices: z.array(z.string()).meta({ description: 'Texts of the process for operators.', examples: [[]] }),
    started_at: time,
    seen_at: time.meta({ description: 'When the last heartbeat arrived.' }),
  })
  .meta({ id: 'Process' })

export const toProcess = (state: ProcessState): z.infer<typeof processResource> => ({
  ...{ id: state.id, host: state.host, pid: state.pid, roles: [...state.roles] },
  version: state.version ?? null,
  status: state.isDead ? 'dead' : 'alive',
  dependencies: state.dependencies.map(({ name, kind, status, code, detail }) => {
    return { name, kind, status, code: code ?? null, detail: detail ?? null }
  }),
  notices: [...state.notices],
  started_at: new Date(state.startedAt).toISOString(),
  seen_at: new Date(state.seenAt).toISOString(),
})
