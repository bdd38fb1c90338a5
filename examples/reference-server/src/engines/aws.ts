import type { AwsBus } from '@sallyport/buses/sqs'
import { parseHttpAddress, type BusEngine } from './engine.ts'

/** The bus on a queue of SQS. Region, credentials and endpoint are those of the environment, as for every client of AWS. */
export const sqsBus: BusEngine = {
  form: 'sqs+https://sqs.REGION.amazonaws.com/ACCOUNT/QUEUE',
  accepts: isSqsAddress,
  async open(address, { limit, ...context }) {
    const { sqsPublisher } = await import('@sallyport/buses/sqs')
    return openAwsBus(sqsPublisher({ queueUrl: address.replace(/^sqs\+/, ''), ...context, ...limit }))
  },
}

/** The bus on a topic of SNS. */
export const snsBus: BusEngine = {
  form: 'sns:arn:aws:sns:REGION:ACCOUNT:TOPIC',
  accepts: ({ pathname, search, hash }) => topicArn.test(pathname) && search === '' && hash === '',
  async open(address, { limit, ...context }) {
    const { snsPublisher } = await import('@sallyport/buses/sns')
    return openAwsBus(snsPublisher({ topicArn: address.replace(/^sns:/, ''), ...context, ...limit }))
  },
}

/** The bus on an event bus of EventBridge. */
export const eventBridgeBus: BusEngine = {
  form: 'eventbridge:BUS',
  accepts: ({ pathname, search, hash }) => busName.test(pathname) && search === '' && hash === '',
  async open(address, { limit, ...context }) {
    const { eventBridgePublisher } = await import('@sallyport/buses/eventbridge')
    const eventBusName = address.replace(/^eventbridge:/, '')
    return openAwsBus(eventBridgePublisher({ eventBusName, ...context, ...limit }))
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
