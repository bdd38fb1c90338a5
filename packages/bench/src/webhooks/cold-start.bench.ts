import type { Benchmark } from '../frame/benchmark.ts'
import { defineTrial } from '../frame/trial.ts'
import { openColdStage, receivers, type ColdStage, type Host, type ReceiverName } from './cold/stage.ts'

const names: Readonly<Record<ReceiverName, string>> = {
  empty: 'empty',
  sallyport: '@sallyport/webhooks',
  tern: '@hookflo/tern',
  octokit: '@octokit/webhooks, stripe',
}

interface Words {
  readonly what: string
  readonly ready: string
  readonly does: Readonly<Record<ReceiverName, string>>
}

const defineColdStart = (host: Host, { what, ready, does }: Words): Benchmark =>
  defineTrial<ColdStage>({
    name: `cold-start-${host}`,
    what,
    unit: 'ms',
    base: names.empty,
    ratio: 'value',
    rounds: 40,
    target: [
      { side: names.sallyport, than: names.tern, atMost: 1 },
      { side: names.sallyport, than: names.octokit, atMost: 1 },
    ],
    prepare: () => openColdStage(host),
    release: ({ close }) => close(),
    sides: receivers.map((receiver) => ({
      name: names[receiver],
      does: does[receiver],
      async turn(stage) {
        const { sizes, start } = stage.receivers[receiver]
        const { answeredMs, readyMs } = await start([stage.delivery])
        return { value: answeredMs, also: { [ready]: readyMs, ...sizes } }
      },
    })),
  })

const work =
  'All libraries verify deliveries of GitHub and Stripe, and pass them to a stub of a queue before they answer.'

export default [
  defineColdStart('worker', {
    what: `Time from the start of workerd to the response to a delivery of 21 KB from GitHub, and the size of the worker, bundled and minified with the options of wrangler. ${work}`,
    ready: 'ms until it listens',
    does: {
      empty: 'Answers 200.',
      sallyport:
        'Calls `createServerlessGateway` with `createFetchHandler`. Also limits failures, and creates an event with an id.',
      tern: 'A handler of `@hookflo/tern/cloudflare` per service. The bundle contains the client of a queue service.',
      octokit:
        'Calls `createWebMiddleware`, and `constructEventAsync` of `stripe`. The bundle contains the whole client of Stripe.',
    },
  }),
  defineColdStart('lambda', {
    what: `Time from the start of Node.js to the answer of a Lambda handler to a delivery of 21 KB from GitHub, and the size of the function, bundled and minified with the options of the AWS CDK. ${work}`,
    ready: 'ms of the import',
    does: {
      empty: 'Answers 200.',
      sallyport:
        'Calls `createServerlessGateway` with `createLambdaHandler`. Also limits failures, and creates an event with an id.',
      tern: 'The `WebhookVerificationService`. It takes a `Request`, for which Node.js loads its fetch.',
      octokit: 'Calls `verifyAndReceive`, and `constructEventAsync` of `stripe`.',
    },
  }),
]
