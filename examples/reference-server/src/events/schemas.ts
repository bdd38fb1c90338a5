import { z } from 'zod'

/** A published event, as the REST API shows it. */
export const eventResource = z.object({
  id: z.string().meta({ examples: ['codehost:workflow_run.completed:289782451:1'] }),
  name: z.string().meta({ examples: ['codehost/workflow_run.completed'] }),
  provider: z.string().meta({ examples: ['codehost'] }),
  subject: z.string().meta({ examples: ['octo-org/octo-repo/actions/runs/289782451'] }),
  delivery_id: z.uuid(),
  route: z.enum(['direct', 'queue']),
  occurred_at: z.iso.datetime(),
  published_at: z.iso.datetime(),
  data: z.unknown(),
})

export type EventResource = z.infer<typeof eventResource>
