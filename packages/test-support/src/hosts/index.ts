/**
 * Test suites for hosts of the gateway, for publishers over HTTP and for the examples.
 *
 * @module
 */
export { signBody, rung } from './doorbell.ts'
export {
  createGithubDelivery,
  githubSecret,
  testExample,
  type Example,
  type ExampleTestOptions,
} from './example-suite.ts'
export { toBytes, type Host, type Received, type Send, type Sent } from './host.ts'
export { testHost } from './host-suite.ts'
export { httpHost, createSend } from './http-host.ts'
export { testHttpPublisher, type HttpBus } from './http-publisher-suite.ts'
export { lambdaEventAlb, lambdaEventLattice, lambdaEventV1, lambdaEventV2 } from './lambda-events.ts'
export { createOpener, readError, type OpenHost } from './opener.ts'
export { startExample } from './start-example.ts'
export { testStreamingHost } from './streaming-suite.ts'
export { sendRaw, type RawAnswer } from './raw-request.ts'
export { openReceiver, type ReceivedRequest, type Receiver, type ReceiverAnswer } from './receiver.ts'
