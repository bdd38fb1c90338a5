import {
  createGateway,
  createRunner,
  HandlerError,
  createMemoryInbox,
  staticSecrets,
} from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { expect, it } from 'vitest'
import { codehost } from '../src/neutral/codehost.ts'
import { samples } from '../src/neutral/codehost.samples.ts'
import { tasks } from '../src/neutral/tasks.ts'

const providers = [codehost, tasks]
const secret = 'a secret of the code host'

// The example of the README with a list as its effect.
it('passes sample deliveries to functions with typed data', async () => {
  const deployed: string[] = []
  const inbox = createMemoryInbox()
  const dispatcher = createRunner<typeof providers>({
    inbox,
    on: {
      'codehost/workflow_run.completed': ({ data }) => {
        if (data.conclusion === 'success') deployed.push(data.run_id)
      },
      'tasks/task.completed': () => {
        throw new HandlerError('No longer needed', { retryable: false })
      },
    },
  })
  const gateway = createGateway({
    providers,
    secrets: staticSecrets({ codehost: [secret], tasks: ['a secret of the tasks'] }),
    inbox,
    dispatcher,
  })
  dispatcher.start()

  const { headers, body } = samples.sample('workflow_run.completed')
  const bytes = Buffer.from(JSON.stringify(body))
  const delivery = { method: 'POST', headers: new Headers(headers), body: bytes }
  const proof = await codehost.signature.sign(delivery, secret, 0)
  const request = new Request('https://hooks.example/webhooks/codehost', {
    method: 'POST',
    headers: { ...headers, ...proof },
    body: bytes,
  })
  expect((await createFetchHandler(gateway)(request)).status).toBe(200)
  const { workflow_run: run } = body as { workflow_run: { id: number } }
  await expect.poll(() => deployed).toEqual([String(run.id)])
  await dispatcher.stop()
})

it('does not compile for an unknown kind', () => {
  const inbox = createMemoryInbox()
  // @ts-expect-error the kind does not exist
  createRunner<typeof providers>({ inbox, on: { 'codehost/workflow_run.undone': () => undefined } })
  // @ts-expect-error the name of the provider is misspelled
  createRunner<typeof providers>({ inbox, on: { 'codehots/workflow_run.completed': () => undefined } })
  createRunner<typeof providers>({
    inbox,
    on: {
      // @ts-expect-error the id of a run is text
      'codehost/workflow_run.completed': ({ data }) => data.run_id satisfies number,
    },
  })
})
