import type { AwsBus } from '../aws/sqs/index.ts'
import { parseHttpAddress, type BusEngine } from './bus-url.ts'

/** The bus on a queue of SQS. Region, credentials and endpoint are those of the environment, as for every client of AWS. */
export const sqsBus: BusEngine = {
  form: 'sqs+https://sqs.REGION.amazonaws.com/ACCOUNT/QUEUE',
  clients: ['@aws-sdk/client-sqs'],
  accepts: isSqsAddress,
  async open(address, options) {
    const { createSqsPublisher } = await import('../aws/sqs/index.ts')
    return openAwsBus(createSqsPublisher({ queueUrl: address.replace(/^sqs\+/, ''), ...options }))
  },
}

/** The bus on a topic of SNS. */
export const snsBus: BusEngine = {
  form: 'sns:arn:aws:sns:REGION:ACCOUNT:TOPIC',
  clients: ['@aws-sdk/client-sns'],
  accepts: ({ pathname, search, hash }) => topicArn.test(pathname) && search === '' && hash === '',
  async open(address, options) {
    const { createSnsPublisher } = await import('../aws/sns/index.ts')
    return openAwsBus(createSnsPublisher({ topicArn: address.replace(/^sns:/, ''), ...options }))
  },
}

/** The bus on an event bus of EventBridge. */
export const eventBridgeBus: BusEngine = {
  form: 'eventbridge:BUS',
  clients: ['@aws-sdk/client-eventbridge'],
  accepts: ({ pathname, search, hash }) => busName.test(pathname) && search === '' && hash === '',
  async open(address, options) {
    const { createEventBridgePublisher } = await import('../aws/eventbridge/index.ts')
    const eventBusName = address.replace(/^eventbridge:/, '')
    return openAwsBus(createEventBridgePublisher({ eventBusName, ...options }))
  },
}

const topicArn = /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/
const busName = /^(?:[\w.-]{1,256}|arn:[\w-]+:events:[\w-]+:\d{12}:event-bus\/[\w./-]{1,256})$/

/** `sqs+https://host/ACCOUNT/QUEUE`. */
function isSqsAddress({ href }: URL): boolean {
  const url = parseHttpAddress(href)
  if (url === undefined || url.username !== '' || url.search !== '') return false
  return /^\/\d{1,20}\/[\w-]{1,80}(?:\.fifo)?$/.test(url.pathname)
}

const openAwsBus = (publisher: AwsBus) => ({
  publisher,
  ping: () => publisher.ping(),
  close: () => publisher.close(),
})
