import { createDispatcher, type Dispatcher } from '../dispatch/dispatcher.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { WebhookInbox } from './database.ts'
import { callAll, instrumentNotifications } from './instrument.ts'
import type { WebhooksOptions } from './options.ts'
import { choosePublisher, type ReportError } from './report.ts'

type Options = Pick<
  WebhooksOptions<readonly AnyProvider[]>,
  'on' | 'publisher' | 'handlers' | 'onAttempt' | 'dispatcher' | 'telemetry'
>

/** @throws TypeError for both a publisher and handlers, for neither, and as `createDispatcher` */
export function openDispatcher(options: Options, inbox: WebhookInbox, onError: ReportError): Dispatcher {
  const { telemetry } = options
  const publisher = choosePublisher(options)
  const onAttempt = callAll(telemetry?.onAttempt, options.onAttempt)
  const notifications = instrumentNotifications(options.dispatcher?.notifications, telemetry)
  return createDispatcher({
    ...options.dispatcher,
    inbox,
    publisher: telemetry?.publisher(publisher) ?? publisher,
    ...(notifications && { notifications }),
    ...(onAttempt && { onAttempt }),
    onError: (error) => onError(error, 'inbox'),
  })
}
