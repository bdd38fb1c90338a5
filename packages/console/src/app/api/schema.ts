// Generated from the OpenAPI document of @sallyport/operations: npm run generate

export interface paths {
  '/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List what operators did
     * @description Replays, erasures, and changes of endpoints and keys, by the time of the action. `action` is an exact name such as `endpoint.create`.
     *
     *     Requires one of the roles: audit:read.
     */
    get: operations['listAudit']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the consumers of the bus in the database
     * @description The counts stop at 10,000.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listConsumers']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a consumer that no process runs, with its dead letters
     * @description A consumer that starts again with the name receives all events that are on the bus.
     *
     *     Requires one of the roles: deliveries:erase.
     */
    delete: operations['deleteConsumer']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}/dead-letters': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the events that a consumer could not handle
     * @description In the order of the bus.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listConsumerDeadLetters']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}/dead-letters/{sequence}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a dead letter of a consumer
     * @description Requires one of the roles: deliveries:erase.
     */
    delete: operations['deleteConsumerDeadLetter']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}/dead-letters/{sequence}/retry': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a consumer handle a dead letter again
     * @description With all its attempts, and after the running event of its subject. The dead letter is deleted when the event is handled.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['retryConsumerDeadLetter']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}/dead-letters/retries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Make a consumer handle its dead letters again
     * @description Retries the oldest 1,000 dead letters that are not retried yet. Those of a subject keep their order.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['retryConsumerDeadLetters']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/consumers/{name}/retries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List the failed events of a consumer that wait for another attempt
     * @description In the order of the bus: at most one event per subject. The later events of the subject wait.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listConsumerRetries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List deliveries
     * @description Verified and recorded deliveries, by the time of their receipt. With a filter other than provider, status and time, `total` stops at 100000: a reader of more deliveries uses `cursor`.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a delivery with its body, its events and their attempts
     * @description Requires one of the roles: deliveries:read.
     */
    get: operations['getDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/{id}/body': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Erase the content of a delivery
     * @description Erases the body, the headers, the query and the data of the events; ids, names and subjects stay. Refused while they are still needed. Copies outside of the inbox stay: events on an external bus or queue, lines of the log, messages to the operators, and backups.
     *
     *     Requires one of the roles: deliveries:erase.
     */
    delete: operations['eraseDelivery']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/{id}/data': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the data of an event of a delivery
     * @description An event that is too large for the bus has the URL of its data in `dataref`. The answer is the data alone, without an envelope. 404 after erasure and retention.
     *
     *     Requires one of the roles: events:read.
     */
    get: operations['getEventData']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/{id}/replays': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replay a delivery
     * @description Makes the events due again, under their ids. A bus that still knows the id of an event stores nothing: send `as_new` when a consumer lost the event. A delivery in quarantine is normalized again.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['replayDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/{id}/retries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry the waiting events of a delivery now
     * @description Makes pending events due at once that wait for a retry. Their attempts stay. Dead and published events need a replay.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['retryDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/deliveries/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Watch deliveries as they are recorded
     * @description Server-Sent Events of the type `delivery`. `data` is a delivery as in the list, with its status at the time of sending; `id` is the position in the stream. Each delivery is sent once, in the order of its record, also from other processes. With `createdAfter`, the earlier deliveries that match come first. A client that connects again with `Last-Event-ID` misses no delivery and receives none twice. A comment every 15 seconds keeps the connection open.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['streamDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List endpoints
     * @description Requires one of the roles: endpoints:read.
     */
    get: operations['listEndpoints']
    put?: never
    /**
     * Create an endpoint
     * @description An endpoint is an address of a provider with separate secrets, such as for one customer. The response is the only one with the generated secret. If the service sends its secret in a handshake, the endpoint waits for it until `handshake_until`.
     *
     *     Requires one of the roles: endpoints:write.
     */
    post: operations['createEndpoint']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an endpoint
     * @description Requires one of the roles: endpoints:read.
     */
    get: operations['getEndpoint']
    put?: never
    post?: never
    /**
     * Delete an endpoint and its secrets
     * @description Deliveries and events of the endpoint stay for their retention. The id cannot be used again until then.
     *
     *     Requires one of the roles: endpoints:write.
     */
    delete: operations['deleteEndpoint']
    options?: never
    head?: never
    /**
     * Change an endpoint
     * @description Other processes see the change within two seconds.
     *
     *     Requires one of the roles: endpoints:write.
     */
    patch: operations['patchEndpoint']
    trace?: never
  }
  '/endpoints/{id}/handshake': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Wait for a handshake
     * @description The endpoint accepts the next handshake in which the service sends its secret, until `handshake_until`. Anyone who knows the address can send it: start it just before you create the webhook at the service. Only for an endpoint without secrets.
     *
     *     Requires one of the roles: endpoints:write.
     */
    post: operations['startEndpointHandshake']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints/{id}/handshake/secret': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Read the secret of a handshake
     * @description Some services send a secret in a handshake, and ask an operator for the secret. The response is the only one with the secret. Another request is a conflict.
     *
     *     Requires one of the roles: endpoints:write.
     */
    post: operations['readHandshakeSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints/{id}/secrets': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Add a secret to an endpoint
     * @description The endpoint accepts the old and the new secrets until the old ones are removed. The response is the only one with the generated secret.
     *
     *     Requires one of the roles: endpoints:write.
     */
    post: operations['addEndpointSecret']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints/{id}/secrets/{secret_id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Remove a secret of an endpoint
     * @description Other processes refuse the secret within two seconds.
     *
     *     Requires one of the roles: endpoints:write.
     */
    delete: operations['removeEndpointSecret']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/endpoints/{id}/test-deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Send a test delivery to an endpoint
     * @description Signs a new sample of the provider with the newest secret of the endpoint, and passes the sample through the gateway. An accepted sample is published like other events.
     *
     *     Requires one of the roles: endpoints:write.
     */
    post: operations['createTestDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List published events in the order of their publication
     * @description Ascending order. A consumer that keeps its cursor misses no event: new events always come after every issued cursor.
     *
     *     Requires one of the roles: events:read.
     */
    get: operations['listEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/events/stream': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Watch events as they are published
     * @description Server-Sent Events of the type `event`. `data` is an event as in the list; `id` is the position in the stream. Each event is sent once, in the order of the first publication, also from other processes. A client that connects again with `Last-Event-ID` misses no event and receives none twice. A comment every 15 seconds keeps the connection open.
     *
     *     Requires one of the roles: events:read.
     */
    get: operations['streamEvents']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/failures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List failing events by their error
     * @description Dead events, and pending and queued ones whose last attempts failed, grouped by status, provider, kind and error. The newest 10,000 failing events are read, or 100,000 with a provider or an endpoint. `POST /replays` and `POST /retries` take the values of a group as criteria.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listFailures']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/keys': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List API keys
     * @description Requires one of the roles: keys:write.
     */
    get: operations['listKeys']
    put?: never
    /**
     * Create an API key
     * @description Send `key` as a bearer token. It is shown once. The key acts for its creator: it never has more permissions, and it stops with the account. A key can create keys with its own scopes except `keys:write`, which expire no later than the key itself.
     *
     *     Requires one of the roles: keys:write.
     */
    post: operations['createKey']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/keys/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an API key
     * @description Requires one of the roles: keys:write.
     */
    get: operations['getKey']
    put?: never
    post?: never
    /**
     * Delete an API key and the keys that it created
     * @description Other processes refuse the keys within five seconds. An open stream of a key ends a second later.
     *
     *     Requires one of the roles: keys:write.
     */
    delete: operations['deleteKey']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/operator': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the caller and the permissions of the caller
     * @description Requires one of the roles: deliveries:read, events:read, statistics:read, endpoints:read, replays:write, deliveries:erase, endpoints:write, keys:write, audit:read.
     */
    get: operations['getOperator']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/providers': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List providers
     * @description The providers of the catalogue and the registered ones, by name.
     *
     *     Requires one of the roles: endpoints:read.
     */
    get: operations['listProviders']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/providers/{name}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the facts and the setup steps of a provider
     * @description Requires one of the roles: endpoints:read.
     */
    get: operations['getProvider']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/replay-jobs': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List replay jobs
     * @description Finished jobs are kept for 30 days.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listReplayJobs']
    put?: never
    /**
     * Replay the deliveries that match a filter, as a job
     * @description The server replays the deliveries in batches, oldest first, one job at a time. A job survives a restart of the server, and replays each delivery once. `dry_run` of `POST /replays` counts the deliveries before.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['createReplayJob']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/replay-jobs/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get a replay job with its progress
     * @description Requires one of the roles: deliveries:read.
     */
    get: operations['getReplayJob']
    put?: never
    post?: never
    /**
     * Cancel a replay job
     * @description Replayed deliveries stay replayed. A finished job does not change.
     *
     *     Requires one of the roles: replays:write.
     */
    delete: operations['cancelReplayJob']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/replays': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Replay the deliveries that match a filter
     * @description Oldest first. A request does as much as it can within seconds; `next` is for the rest.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['replayDeliveries']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/retries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Retry the waiting events that match a filter now
     * @description Makes pending events due at once that wait for a retry, oldest first. Their attempts stay. Dead and published events need a replay. The dispatcher does the same by itself when a bus that was unavailable accepts events again.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['retryEvents']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/statistics': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the numbers of requests by provider, outcome and reason
     * @description All requests to the gateway, also those that were not recorded. Processes write their counts every few seconds. Handshakes are not counted.
     *
     *     Requires one of the roles: statistics:read.
     */
    get: operations['getStatistics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/statistics/endpoints': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the endpoints with most deliveries
     * @description The newest 10,000 recorded deliveries by endpoint. Duplicate, ignored and refused requests are not recorded.
     *
     *     Requires one of the roles: statistics:read.
     */
    get: operations['getEndpointStatistics']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/status': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get the state of the dependencies and the numbers of open events
     * @description Requires one of the roles: statistics:read.
     */
    get: operations['getStatus']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unprocessed-deliveries': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * List ignored and refused deliveries
     * @description Deliveries of kinds that the provider does not handle, and deliveries whose signature was not valid, by the time of their receipt. They are kept for a short time, if the server is set up so. The list is not complete during a flood.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['listUnprocessedDeliveries']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unprocessed-deliveries/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Get an ignored or refused delivery with its headers and its body
     * @description Requires one of the roles: deliveries:read.
     */
    get: operations['getUnprocessedDelivery']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unprocessed-deliveries/{id}/diagnosis': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    /**
     * Explain why the signature of a refused delivery is not valid
     * @description Tries the usual mistakes: white space or another encoding of the secret, a time outside the tolerance, a body that was parsed and written again, another public address.
     *
     *     Requires one of the roles: deliveries:read.
     */
    get: operations['getUnprocessedDiagnosis']
    put?: never
    post?: never
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
  '/unprocessed-deliveries/{id}/replays': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get?: never
    put?: never
    /**
     * Process an ignored or refused delivery again
     * @description An ignored delivery is normalized by the current version of its provider. A refused one is verified with the current secrets, and its signed time is compared with the time of its receipt. Both are recorded like new deliveries, with the same keys, under the time of their receipt.
     *
     *     Requires one of the roles: replays:write.
     */
    post: operations['replayUnprocessedDelivery']
    delete?: never
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    AddEndpointSecret: {
      /**
       * @description Default: a generated secret.
       * @example a signing secret
       */
      secret?: string
    }
    AuditEntry: {
      /** @example endpoint.delete */
      action: string
      /** @example ann */
      actor_id: string
      /**
       * @description The name at the time of the action.
       * @example ann@example.com
       */
      actor_name: string | null
      /** Format: date-time */
      created_at: string
      /**
       * @description Names, ids and counts; never a secret.
       * @example {
       *       "provider": "codehost"
       *     }
       */
      detail: {
        [key: string]: unknown
      }
      /** Format: uuid */
      id: string
      /**
       * @description The id of the resource; null for an action on several resources.
       * @example 5Xo2aPq0VnTr8hZkWm3uYd
       */
      target: string | null
    }
    BulkReplay: {
      /**
       * @description The number of processed deliveries: the sum of the next four.
       * @example 1
       */
      deliveries: number
      /** @example 1 */
      erased: number
      /**
       * @description How many events are due.
       * @example 1
       */
      events: number
      /**
       * @description Send it as `cursor`, with the same filter, for the rest.
       * @example null
       */
      next: string | null
      /**
       * @description The request that publishes such events again for consumers.
       * @example null
       */
      note: string | null
      /** @example 1 */
      quarantined: number
      /** @example 1 */
      replayed: number
      /**
       * @description How many of these events were published before under the same id. A bus that still knows the id stores nothing.
       * @example 0
       */
      republished: number
      /** @example 1 */
      unchanged: number
    }
    Consumer: {
      /** @example 0 */
      dead_letters: number
      /**
       * @description The events whose last attempt failed: at most one per subject.
       * @example 0
       */
      failing: number
      /**
       * @description The last error of the oldest failing event.
       * @example TimeoutError
       */
      last_error: string | null
      /** @example builds */
      name: string
      /**
       * @description When the oldest pending event was published.
       * @example null
       */
      oldest_pending_at: string | null
      /**
       * @description The events that are neither handled nor dead letters.
       * @example 0
       */
      pending: number
      /**
       * @description The events up to this sequence are settled or wait.
       * @example 0
       */
      position: number
      /**
       * @description The host and the process that run the consumer.
       * @example worker-1:4711
       */
      process: string | null
      /**
       * @description The pending events that wait for a retry, or for such an event of their subject.
       * @example 0
       */
      waiting: number
    }
    ConsumerDeadLetter: {
      /** Format: date-time */
      dead_at: string
      /** @example 01890a5d-ac96-774b-bcce-b302099a8057 */
      delivery_id: string | null
      /** @example null */
      endpoint: string | null
      /** @example TimeoutError */
      error: string
      /** @example codehost:workflow_run.completed:289782451:1 */
      event_id: string
      /**
       * @description Null for a message that is not an event.
       * @example codehost/push
       */
      name: string | null
      /** @example codehost */
      provider: string | null
      /** @description Whether the consumer handles the event again. */
      retried: boolean
      /**
       * @description The position of the event on the bus.
       * @example 12
       */
      sequence: number
      /** @example octo-org/octo-repo */
      subject: string | null
    }
    ConsumerRetry: {
      /**
       * @description The failed attempts.
       * @example 3
       */
      attempts: number
      /** @example 01890a5d-ac96-774b-bcce-b302099a8057 */
      delivery_id: string | null
      /**
       * Format: date-time
       * @description When the next attempt is due.
       */
      due_at: string
      /** @example null */
      endpoint: string | null
      /** @example TimeoutError */
      error: string
      /** @example codehost:workflow_run.completed:289782451:1 */
      event_id: string
      /**
       * @description Null for a message that is not an event.
       * @example codehost/push
       */
      name: string | null
      /** @example codehost */
      provider: string | null
      /**
       * @description The position of the event on the bus.
       * @example 12
       */
      sequence: number
      /** @example octo-org/octo-repo */
      subject: string | null
    }
    CreatedEndpoint: {
      /** Format: date-time */
      readonly created_at: string
      /** @description Until when the endpoint accepts a handshake in which the service sends its secret. Null while it accepts none. */
      readonly handshake_until: string | null
      /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
      readonly id: string
      /**
       * @example {
       *       "plan": "free"
       *     }
       */
      labels: {
        [key: string]: string
      }
      /** @example Acme Ltd */
      name: string
      options: components['schemas']['EndpointOptions']
      /** @example codehost */
      readonly provider: string
      /**
       * @description The generated secret, in this response only. Null for a secret from the request, or from a handshake of the service.
       * @example 6f0b…
       */
      secret: string | null
      /** @description Newest first, without their values. Deliveries verify with any of them. */
      readonly secrets: {
        /** Format: date-time */
        created_at: string
        id: string
        /** @description Whether `POST /endpoints/{id}/handshake/secret` returns the secret: the service sent it in a handshake, and nobody has read it. */
        readable: boolean
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as it is configured.
       * @enum {string}
       */
      status: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at: string
      /** @description The address for the service. A path if the server does not know its public address. */
      readonly url: string
    }
    CreatedKey: {
      /** Format: date-time */
      created_at: string
      /**
       * @description The id of the user that the key acts for.
       * @example ann
       */
      created_by: string
      /** @example null */
      expires_at: string | null
      /** @example 5d41402abc4b2a76 */
      id: string
      /**
       * @description The bearer token. It is shown once.
       * @example sp_<id>_<secret>
       */
      key: string
      /** @description At most a minute before the last use; null for an unused key. */
      last_used_at: string | null
      /** @example CI */
      name: string
      /**
       * @description The first characters of the key.
       * @example sp_5d41402abc4b2a76
       */
      prefix: string
      /**
       * @example [
       *       "deliveries:read",
       *       "replays:write"
       *     ]
       */
      scopes: (
        | 'deliveries:read'
        | 'events:read'
        | 'statistics:read'
        | 'endpoints:read'
        | 'replays:write'
        | 'deliveries:erase'
        | 'endpoints:write'
        | 'keys:write'
        | 'audit:read'
      )[]
    }
    CreateEndpoint: {
      /**
       * @description Default: an unguessable id, 22 random letters and digits.
       * @example 5Xo2aPq0VnTr8hZkWm3uYd
       */
      id?: string
      /**
       * @description Default: `{}`.
       * @example {
       *       "plan": "free"
       *     }
       */
      labels?: {
        [key: string]: string
      }
      /** @example Acme Ltd */
      name: string
      /** @description Default: `{}`. */
      options?: components['schemas']['EndpointOptions']
      /** @example codehost */
      provider: string
      /**
       * @description Default: a generated secret.
       * @example a signing secret
       */
      secret?: string
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as it is configured. Default: `active`.
       * @enum {string}
       */
      status?: 'active' | 'disabled'
    }
    CreateKey: {
      /**
       * @description Null for a key that does not expire. Default: `null`.
       * @example 2027-01-01T00:00:00Z
       */
      expires_at?: string | null
      /** @example CI */
      name: string
      scopes: (
        | 'deliveries:read'
        | 'events:read'
        | 'statistics:read'
        | 'endpoints:read'
        | 'replays:write'
        | 'deliveries:erase'
        | 'endpoints:write'
        | 'keys:write'
        | 'audit:read'
      )[]
    }
    CreateReplayJob:
      | {
          /**
           * @description Selects every delivery. Required without another criterion.
           * @constant
           */
          all?: true
          /** @description Gives events new ids, so that consumers process them as new events. By default, ids stay. Default: `false`. */
          as_new?: boolean
          /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
          endpoint?: string
          /**
           * @description The exact last error of an event that is not published.
           * @example TimeoutError
           */
          error?: string
          /**
           * @description The id of an event of the delivery, also the id before a replay as new.
           * @example codehost:workflow_run.completed:289782451:1
           */
          event_id?: string
          /**
           * @description The id of the delivery.
           * @example 01890a5d-ac96-774b-bcce-b302099a8057
           */
          id?: string
          /**
           * @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix.
           * @example workflow_run.completed
           */
          kind?: string
          /**
           * @description The least attempts to publish an event, including a successful attempt.
           * @example 5
           */
          min_attempts?: number
          /**
           * @description `quarantined`: in quarantine. `accepted`: all other deliveries.
           * @enum {string}
           */
          outcome?: 'accepted' | 'quarantined'
          /** @example codehost */
          provider?: string
          /**
           * @description The code of the reason for the quarantine.
           * @example NORMALIZER_FAILED
           */
          reason?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_after?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_before?: string
          /**
           * @description The status of deliveries; only their events of this state are selected.
           * @enum {string}
           */
          status?: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
          /**
           * @description The subject of an event.
           * @example octo-org/octo-repo/actions/runs/289782451
           */
          subject?: string
          /**
           * @description The start of the subject of an event, or the id of a delivery or of an event.
           * @example octo-org/octo-repo
           */
          text?: string
        }
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
    CreateTestDelivery: {
      /** @example workflow_run.completed */
      kind: string
    }
    /** @description The continuation of a cursor page. */
    CursorMeta: {
      hasMore: boolean
      /** @description A cursor on every page; on the last page it finds new items later. */
      nextCursor: string
    }
    Delivery: {
      /**
       * @description The most attempts to publish an event, including a successful attempt. 0 without events.
       * @example 1
       */
      attempts: number
      /**
       * @description The length of the received body.
       * @example 19710
       */
      body_bytes: number
      /** @enum {string} */
      body_state: 'stored' | 'pruned' | 'erased'
      /**
       * Format: date-time
       * @description The time of the receipt.
       */
      created_at: string
      /**
       * @description The id of the endpoint; null for the address without an endpoint.
       * @example null
       */
      endpoint: string | null
      /** @description The number of its events by state. */
      event_counts: {
        /** @example 1 */
        dead: number
        /** @example 1 */
        pending: number
        /** @example 1 */
        published: number
        /** @example 1 */
        queued: number
      }
      /** Format: uuid */
      id: string
      /**
       * @description The kind of the first event: its name without the provider. Null without events.
       * @example workflow_run.completed
       */
      kind: string | null
      /**
       * @description The last error of the newest event that failed and is not published.
       * @example null
       */
      last_error: string | null
      /** @example codehost */
      provider: string
      /**
       * @description The reason for the quarantine.
       * @example null
       */
      reason: string | null
      /**
       * @description Where a quarantined delivery does not fit the schema: the path and the code of each issue, without values.
       * @example null
       */
      reason_detail: string | null
      /** @enum {string} */
      status: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
      /**
       * @description The subject of the first event.
       * @example octo-org/octo-repo/actions/runs/289782451
       */
      subject: string | null
    }
    DeliveryDetail: {
      /**
       * @description The most attempts to publish an event, including a successful attempt. 0 without events.
       * @example 1
       */
      attempts: number
      /** @description The raw bytes, as text if they are UTF-8. Null after pruning or erasure. */
      body: {
        data: string
        /** @enum {string} */
        encoding: 'utf-8' | 'base64'
      } | null
      /**
       * @description The length of the received body.
       * @example 19710
       */
      body_bytes: number
      /** @enum {string} */
      body_state: 'stored' | 'pruned' | 'erased'
      /**
       * Format: date-time
       * @description The time of the receipt.
       */
      created_at: string
      /**
       * @description The id of the endpoint; null for the address without an endpoint.
       * @example null
       */
      endpoint: string | null
      events: components['schemas']['DeliveryEvent'][]
      /** @description By lower-case name; secrets and signatures are redacted. */
      headers: {
        [key: string]: string
      }
      /** Format: uuid */
      id: string
      /**
       * @description The kind of the first event: its name without the provider. Null without events.
       * @example workflow_run.completed
       */
      kind: string | null
      /**
       * @description The last error of the newest event that failed and is not published.
       * @example null
       */
      last_error: string | null
      /** @example codehost */
      provider: string
      /**
       * @description The query of the request without `?`; credentials are redacted. Null without a query, and after erasure.
       * @example null
       */
      query: string | null
      /**
       * @description The reason for the quarantine.
       * @example null
       */
      reason: string | null
      /**
       * @description Where a quarantined delivery does not fit the schema: the path and the code of each issue, without values.
       * @example null
       */
      reason_detail: string | null
      /** @enum {string} */
      status: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
      /**
       * @description The subject of the first event.
       * @example octo-org/octo-repo/actions/runs/289782451
       */
      subject: string | null
    }
    DeliveryEvent: {
      /**
       * @description The number of attempts since the event was last made due, including a successful one.
       * @example 1
       */
      attempts: number
      due_at: string | null
      /**
       * @description Whether the bus knew the id at the last publication, and stored nothing. A replay with `as_new` publishes the event under a new id.
       * @example false
       */
      duplicate: boolean
      /** @description The newest 20 failed attempts, oldest first. */
      failures: {
        /** Format: date-time */
        at: string
        /** @example TimeoutError */
        error: string
      }[]
      /** @example codehost:workflow_run.completed:289782451:1 */
      id: string
      /** @description The end of the lease of a process. */
      lease_ends_at: string | null
      /** @example codehost/workflow_run.completed */
      name: string
      notification: {
        /**
         * @description The number of attempts since the event was last made due, including a successful one.
         * @example 1
         */
        attempts: number
        due_at: string | null
        /** @description The newest 20 failed attempts, oldest first. */
        failures: {
          /** Format: date-time */
          at: string
          /** @example TimeoutError */
          error: string
        }[]
        /** @enum {string} */
        state: 'waiting' | 'pending' | 'sent' | 'dead'
      } | null
      /** Format: date-time */
      occurred_at: string
      published_at: string | null
      /** @enum {string} */
      route: 'direct' | 'queue'
      /** @enum {string} */
      state: 'pending' | 'queued' | 'published' | 'dead'
      /** @example octo-org/octo-repo/actions/runs/289782451 */
      subject: string
    }
    Endpoint: {
      /** Format: date-time */
      readonly created_at: string
      /** @description Until when the endpoint accepts a handshake in which the service sends its secret. Null while it accepts none. */
      readonly handshake_until: string | null
      /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
      readonly id: string
      /**
       * @example {
       *       "plan": "free"
       *     }
       */
      labels: {
        [key: string]: string
      }
      /** @example Acme Ltd */
      name: string
      options: components['schemas']['EndpointOptions']
      /** @example codehost */
      readonly provider: string
      /** @description Newest first, without their values. Deliveries verify with any of them. */
      readonly secrets: {
        /** Format: date-time */
        created_at: string
        id: string
        /** @description Whether `POST /endpoints/{id}/handshake/secret` returns the secret: the service sent it in a handshake, and nobody has read it. */
        readable: boolean
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as it is configured.
       * @enum {string}
       */
      status: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at: string
      /** @description The address for the service. A path if the server does not know its public address. */
      readonly url: string
    }
    EndpointOptions: {
      /**
       * @description The accepted kinds; others are ignored. Default: all kinds.
       * @example [
       *       "push",
       *       "pull_request.*"
       *     ]
       */
      only?: string[]
      /**
       * @description The maximum difference of the signed time to the clock. Only for a provider that signs a time. Default: the tolerance of the provider.
       * @example 600
       */
      tolerance_seconds?: number
    }
    EndpointSecret: {
      /** Format: date-time */
      created_at: string
      id: string
      /**
       * @description The generated secret, in this response only. Null for a secret from the request, or from a handshake of the service.
       * @example 6f0b…
       */
      secret: string | null
    }
    EndpointStatistics: {
      /** @description The endpoint with most deliveries first, at most 20. */
      endpoints: {
        /** @example 12 */
        deliveries: number
        /**
         * @description The id of the endpoint.
         * @example 5Xo2aPq0VnTr8hZkWm3uYd
         */
        endpoint: string
        /**
         * Format: date-time
         * @description When the newest delivery was received.
         */
        last_received_at: string
        /** @example codehost */
        provider: string
      }[]
    }
    /** @description The body of every error response. */
    ErrorEnvelope: {
      error: {
        /** @description Stable code for programs. */
        code: string
        /** @description All problems of the input. */
        details?: {
          /** @description Stable code of the problem for programs. */
          code?: string
          /** @description Dotted path of the field, or name of the parameter. */
          field: string
          /**
           * @description The part of the request that has the problem.
           * @enum {string}
           */
          in?: 'path' | 'query' | 'header' | 'cookie' | 'body'
          /** @description Description of the problem. */
          message: string
        }[]
        message: string
      }
    }
    Failure: {
      /**
       * @description The last error of the events.
       * @example TimeoutError
       */
      error: string | null
      /**
       * @description The number of events.
       * @example 12
       */
      events: number
      /**
       * Format: date-time
       * @description When the oldest delivery of the group was received.
       */
      first_received_at: string
      /**
       * @description The name of the events without the provider.
       * @example push
       */
      kind: string
      /**
       * Format: date-time
       * @description When the newest delivery of the group was received.
       */
      last_received_at: string
      /**
       * Format: uuid
       * @example 01890a5d-ac96-774b-bcce-b302099a8057
       */
      newest_delivery_id: string
      /** @example codehost */
      provider: string
      /** @enum {string} */
      status: 'pending' | 'queued' | 'dead'
    }
    Failures: {
      /** @description The consumers of the bus in the database with failing events or dead letters; without a filter only. */
      consumers: components['schemas']['Consumer'][]
      /** @description The group with the newest delivery first. */
      groups: components['schemas']['Failure'][]
      /**
       * @description Whether older failing events were not read.
       * @example false
       */
      truncated: boolean
    }
    HandshakeSecret: {
      id: string
      /**
       * @description The secret, in this response only.
       * @example 6f0b…
       */
      secret: string
    }
    Key: {
      /** Format: date-time */
      created_at: string
      /**
       * @description The id of the user that the key acts for.
       * @example ann
       */
      created_by: string
      /** @example null */
      expires_at: string | null
      /** @example 5d41402abc4b2a76 */
      id: string
      /** @description At most a minute before the last use; null for an unused key. */
      last_used_at: string | null
      /** @example CI */
      name: string
      /**
       * @description The first characters of the key.
       * @example sp_5d41402abc4b2a76
       */
      prefix: string
      /**
       * @example [
       *       "deliveries:read",
       *       "replays:write"
       *     ]
       */
      scopes: (
        | 'deliveries:read'
        | 'events:read'
        | 'statistics:read'
        | 'endpoints:read'
        | 'replays:write'
        | 'deliveries:erase'
        | 'endpoints:write'
        | 'keys:write'
        | 'audit:read'
      )[]
    }
    /** @description The position of an offset page in its list. */
    OffsetMeta: {
      /** @example 20 */
      limit: number
      page: number
      /** @example 1 */
      total: number
      /** @example 1 */
      totalPages: number
    }
    Operator: {
      /** @example ann */
      id: string
      /** @example ann@example.com */
      name: string | null
      permissions: ('read' | 'replay' | 'erase' | 'manage')[]
      /**
       * @description The scopes of an API key; null without a limit.
       * @example null
       */
      scopes: string[] | null
    }
    PatchEndpoint: {
      /** Format: date-time */
      readonly created_at?: string
      /** @description Until when the endpoint accepts a handshake in which the service sends its secret. Null while it accepts none. */
      readonly handshake_until?: string | null
      /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
      readonly id?: string
      /**
       * @example {
       *       "plan": "free"
       *     }
       */
      labels?: {
        [key: string]: string
      }
      /** @example Acme Ltd */
      name?: string
      options?: components['schemas']['EndpointOptions']
      /** @example codehost */
      readonly provider?: string
      /** @description Newest first, without their values. Deliveries verify with any of them. */
      readonly secrets?: {
        /** Format: date-time */
        created_at: string
        id: string
        /** @description Whether `POST /endpoints/{id}/handshake/secret` returns the secret: the service sent it in a handshake, and nobody has read it. */
        readable: boolean
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as it is configured.
       * @enum {string}
       */
      status?: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at?: string
      /** @description The address for the service. A path if the server does not know its public address. */
      readonly url?: string
    }
    /** @description An error as RFC 9457 problem details, if Accept prefers them. */
    ProblemDetails: {
      /** @description Stable code for programs. */
      code: string
      detail: string
      /** @description All problems of the input. */
      details?: {
        /** @description Stable code of the problem for programs. */
        code?: string
        /** @description Dotted path of the field, or name of the parameter. */
        field: string
        /**
         * @description The part of the request that has the problem.
         * @enum {string}
         */
        in?: 'path' | 'query' | 'header' | 'cookie' | 'body'
        /** @description Description of the problem. */
        message: string
      }[]
      instance?: string
      status: number
      title: string
      type: string
    }
    Provider: {
      /**
       * @description The month in which the facts were last compared with their sources; null if unknown.
       * @example 2026-11
       */
      checked: string | null
      /** @description Whether the facts are from the service, or from code that receives its deliveries; null without facts. */
      confidence: ('primary' | 'secondary') | null
      /**
       * @description The page of the service on its webhooks.
       * @example https://docs.github.com
       */
      docs: string | null
      /**
       * @description A service passes payloads through unchanged; a normalized provider converts them to a stable schema.
       * @enum {string}
       */
      form: 'service' | 'normalized'
      /**
       * @description The methods by which the service verifies an address.
       * @example [
       *       "GET"
       *     ]
       */
      handshake: string[]
      /** @description What makes a delivery a duplicate; null for a normalized provider. */
      identity: components['schemas']['ProviderIdentity'] | null
      /**
       * @description Where a service writes the kind of an event.
       * @example [
       *       "header x-github-event",
       *       "action"
       *     ]
       */
      kind: string[]
      /**
       * @description The kinds of a normalized provider.
       * @example []
       */
      kinds: string[]
      /** @example github */
      name: string
      /** @description Whether the gateway receives deliveries of the provider. */
      registered: boolean
      /**
       * @description When the service sends a delivery again; null if unknown.
       * @example null
       */
      retries: string | null
      /**
       * @description The kinds with a sample, for test deliveries.
       * @example [
       *       "push"
       *     ]
       */
      samples: string[]
      /**
       * @description `generated`: an endpoint can generate it. `given`: only the service creates it. `handshake`: the service sends it.
       * @enum {string}
       */
      secret: 'generated' | 'given' | 'handshake'
      /**
       * @description The steps in the settings of the service.
       * @example [
       *       "Open Settings, Webhooks, and add the address."
       *     ]
       */
      setup: string[]
      signature: {
        /**
         * @description What the signature covers; null for the whole body.
         * @example null
         */
        covers: string | null
        /**
         * @description The headers of the signature.
         * @example [
         *       "x-hub-signature-256"
         *     ]
         */
        headers: string[]
      }
      /**
       * @description The pages and files that the facts follow.
       * @example [
       *       "https://docs.github.com/webhooks"
       *     ]
       */
      sources: string[]
      /**
       * @description The name of the service.
       * @example GitHub
       */
      title: string
      /**
       * @description Properties that surprise.
       * @example []
       */
      traps: string[]
      /**
       * @description `signed` covers the body, `partial` a part of the delivery; `origin` proves only the sender, `none` nothing.
       * @enum {string}
       */
      trust: 'signed' | 'partial' | 'origin' | 'none'
    }
    ProviderIdentity: {
      /**
       * @description `parts` of the event, the hash of the `body`, or the `delivery`: each delivery is a new event.
       * @enum {string}
       */
      by: 'parts' | 'body' | 'delivery'
      /**
       * @description The parts, for `parts`.
       * @example [
       *       "header x-github-delivery"
       *     ]
       */
      parts: string[]
      /**
       * @description The paths that the hash omits, for `body`.
       * @example []
       */
      without: string[]
    }
    ProviderSummary: {
      /**
       * @description The page of the service on its webhooks.
       * @example https://docs.github.com
       */
      docs: string | null
      /**
       * @description A service passes payloads through unchanged; a normalized provider converts them to a stable schema.
       * @enum {string}
       */
      form: 'service' | 'normalized'
      /** @example github */
      name: string
      /** @description Whether the gateway receives deliveries of the provider. */
      registered: boolean
      /**
       * @description The name of the service.
       * @example GitHub
       */
      title: string
      /**
       * @description `signed` covers the body, `partial` a part of the delivery; `origin` proves only the sender, `none` nothing.
       * @enum {string}
       */
      trust: 'signed' | 'partial' | 'origin' | 'none'
    }
    Replay: {
      /** Format: uuid */
      delivery_id: string
      /** @description The ids of the events that are due. */
      events: string[]
      /**
       * @description The request that publishes such events again for consumers.
       * @example null
       */
      note: string | null
      /**
       * @description `unchanged`: no event has to be published again, or a publication is running. `quarantined`: the provider still cannot normalize the delivery.
       * @enum {string}
       */
      outcome: 'replayed' | 'unchanged' | 'quarantined'
      /**
       * @description The reason for the quarantine, if it continues.
       * @example null
       */
      reason: string | null
      /**
       * @description How many of these events were published before under the same id. A bus that still knows the id stores nothing.
       * @example 0
       */
      republished: number
    }
    ReplayDeliveries:
      | {
          /**
           * @description Selects every delivery. Required without another criterion.
           * @constant
           */
          all?: true
          /** @description Gives events new ids, so that consumers process them as new events. By default, ids stay. Default: `false`. */
          as_new?: boolean
          /** @description `next` of the previous response. Default: ``. */
          cursor?: string
          /** @description Counts the matching deliveries and replays nothing. Default: `false`. */
          dry_run?: boolean
          /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
          endpoint?: string
          /**
           * @description The exact last error of an event that is not published.
           * @example TimeoutError
           */
          error?: string
          /**
           * @description The id of an event of the delivery, also the id before a replay as new.
           * @example codehost:workflow_run.completed:289782451:1
           */
          event_id?: string
          /**
           * @description The id of the delivery.
           * @example 01890a5d-ac96-774b-bcce-b302099a8057
           */
          id?: string
          /**
           * @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix.
           * @example workflow_run.completed
           */
          kind?: string
          /**
           * @description The least attempts to publish an event, including a successful attempt.
           * @example 5
           */
          min_attempts?: number
          /**
           * @description `quarantined`: in quarantine. `accepted`: all other deliveries.
           * @enum {string}
           */
          outcome?: 'accepted' | 'quarantined'
          /** @example codehost */
          provider?: string
          /**
           * @description The code of the reason for the quarantine.
           * @example NORMALIZER_FAILED
           */
          reason?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_after?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_before?: string
          /**
           * @description The status of deliveries; only their events of this state are selected.
           * @enum {string}
           */
          status?: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
          /**
           * @description The subject of an event.
           * @example octo-org/octo-repo/actions/runs/289782451
           */
          subject?: string
          /**
           * @description The start of the subject of an event, or the id of a delivery or of an event.
           * @example octo-org/octo-repo
           */
          text?: string
        }
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
    ReplayDelivery: {
      /** @description Gives events new ids, so that consumers process them as new events. By default, ids stay. Default: `false`. */
      as_new?: boolean
    }
    ReplayDryRun: {
      /**
       * @description The number of matching deliveries.
       * @example 1
       */
      deliveries: number
      /**
       * @description Whether more deliveries match: the count stops at 100,000.
       * @example false
       */
      truncated: boolean
    }
    ReplayJob: {
      as_new: boolean
      /** Format: date-time */
      created_at: string
      /**
       * @description The id of the operator.
       * @example ann
       */
      created_by: string | null
      /** @example 1 */
      erased: number
      /**
       * @description Why the job failed.
       * @example null
       */
      error: string | null
      /**
       * @description How many events became due.
       * @example 1
       */
      events: number
      /**
       * @description The criteria of the request. Deliveries that are received later are not part of the job.
       * @example {
       *       "status": "dead",
       *       "provider": "codehost"
       *     }
       */
      filter: {
        [key: string]: unknown
      }
      finished_at: string | null
      /** Format: uuid */
      id: string
      /**
       * @description The number of processed deliveries: the sum of the next four.
       * @example 1
       */
      processed: number
      /** @example 1 */
      quarantined: number
      /** @example 1 */
      replayed: number
      /** @enum {string} */
      status: 'running' | 'done' | 'canceled' | 'failed'
      /**
       * @description The number of matching deliveries at the creation, up to 1,000,000.
       * @example 20000
       */
      total: number
      /** @example 1 */
      unchanged: number
      /** Format: date-time */
      updated_at: string
    }
    RetriedDeadLetters: {
      /** @example 0 */
      events: number
      /** @description Whether to send the request again. */
      more: boolean
    }
    Retry: {
      /**
       * @description How many events are due.
       * @example 1
       */
      events: number
      /**
       * @description Whether more events wait: send the request again.
       * @example false
       */
      more: boolean
    }
    RetryEvents:
      | {
          /**
           * @description Selects every delivery. Required without another criterion.
           * @constant
           */
          all?: true
          /** @example 5Xo2aPq0VnTr8hZkWm3uYd */
          endpoint?: string
          /**
           * @description The exact last error of an event that is not published.
           * @example TimeoutError
           */
          error?: string
          /**
           * @description The id of an event of the delivery, also the id before a replay as new.
           * @example codehost:workflow_run.completed:289782451:1
           */
          event_id?: string
          /**
           * @description The id of the delivery.
           * @example 01890a5d-ac96-774b-bcce-b302099a8057
           */
          id?: string
          /**
           * @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix.
           * @example workflow_run.completed
           */
          kind?: string
          /**
           * @description The least attempts to publish an event, including a successful attempt.
           * @example 5
           */
          min_attempts?: number
          /**
           * @description `quarantined`: in quarantine. `accepted`: all other deliveries.
           * @enum {string}
           */
          outcome?: 'accepted' | 'quarantined'
          /** @example codehost */
          provider?: string
          /**
           * @description The code of the reason for the quarantine.
           * @example NORMALIZER_FAILED
           */
          reason?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_after?: string
          /**
           * Format: date-time
           * @description Exclusive.
           */
          received_before?: string
          /**
           * @description The status of deliveries; only their events of this state are selected.
           * @enum {string}
           */
          status?: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
          /**
           * @description The subject of an event.
           * @example octo-org/octo-repo/actions/runs/289782451
           */
          subject?: string
          /**
           * @description The start of the subject of an event, or the id of a delivery or of an event.
           * @example octo-org/octo-repo
           */
          text?: string
        }
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
      | unknown
    Statistics: {
      /**
       * Format: date-time
       * @description The start of the first interval.
       */
      from: string
      /**
       * @description The length of an interval.
       * @example 60
       */
      interval_seconds: number
      /** @description The most frequent reasons first, at most 200. */
      reasons: {
        /** @example 12 */
        count: number
        /** @enum {string} */
        outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused'
        /**
         * @description `unknown` for a path that names no provider.
         * @example codehost
         */
        provider: string
        /**
         * @description The kind of ignored deliveries, the code of refused and quarantined ones. `other` has reasons beyond 20 a minute.
         * @example INVALID_SIGNATURE
         */
        reason: string
      }[]
      series: {
        /**
         * @description The number of requests of each interval, oldest first.
         * @example [
         *       0,
         *       3,
         *       1
         *     ]
         */
        counts: number[]
        /** @enum {string} */
        outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused'
        /**
         * @description `unknown` for a path that names no provider.
         * @example codehost
         */
        provider: string
      }[]
      /**
       * Format: date-time
       * @description The end of the last interval, which is not complete yet.
       */
      to: string
      totals: {
        /** @example 12 */
        accepted: number
        /** @example 12 */
        duplicate: number
        /** @example 12 */
        ignored: number
        /** @example 12 */
        quarantined: number
        /** @example 12 */
        refused: number
      }
      /** @enum {string} */
      window: '1h' | '24h' | '7d'
    }
    Status: {
      /** @description The sums of all consumers of the bus in the database. Null without such a bus, and while it is unavailable. */
      consumers: {
        /** @example 0 */
        dead_letters: number
        /** @example 0 */
        failing: number
        oldest_pending_at: string | null
        /** @example 0 */
        pending: number
      } | null
      /** @description Each count stops at 10,000. Null while the inbox is unavailable. */
      counts: {
        /** @example 0 */
        dead: number
        /** @example 0 */
        notifications_dead: number
        /** @example 0 */
        notifications_pending: number
        /** @example 0 */
        pending: number
        /** @example 0 */
        quarantined: number
        /** @example 0 */
        queued: number
      } | null
      dependencies: {
        /** @example null */
        detail: string | null
        /** @example inbox */
        name: string
        /** @enum {string} */
        status: 'ok' | 'unavailable'
      }[]
      /**
       * @description Texts of the server for operators.
       * @example []
       */
      notices: string[]
      /** @description When the oldest delivery with a pending event was received. */
      oldest_pending_at: string | null
      /** @description All events that were ever published. Null while the inbox is unavailable. */
      published: number | null
      /**
       * @description `degraded` while a dependency is unavailable.
       * @enum {string}
       */
      status: 'ok' | 'degraded'
    }
    TestDelivery: {
      /**
       * @description The error code of a refusal.
       * @example null
       */
      code: string | null
      /**
       * @description The recorded delivery; null for a delivery that is not recorded.
       * @example 01890a5d-ac96-774b-bcce-b302099a8057
       */
      delivery_id: string | null
      /** @example workflow_run.completed */
      kind: string
      /**
       * @description The error of a refusal.
       * @example null
       */
      message: string | null
      /**
       * @description `handshake`: the gateway answered the sample as a challenge of the service.
       * @enum {string}
       */
      outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused' | 'handshake'
      /**
       * @description The reason of a quarantine, or the kind of an ignored delivery.
       * @example null
       */
      reason: string | null
      /**
       * @description The HTTP status of the gateway.
       * @example 200
       */
      status: number
    }
    UnprocessedDelivery: {
      /**
       * @description The length of the received body.
       * @example 812
       */
      body_bytes: number
      /**
       * Format: date-time
       * @description The time of the receipt.
       */
      created_at: string
      /**
       * @description The id of the endpoint; null for the address without an endpoint.
       * @example null
       */
      endpoint: string | null
      /** Format: uuid */
      id: string
      /**
       * @description The service's name for the kind of an ignored delivery, if the provider knows it.
       * @example star.created
       */
      kind: string | null
      /** @enum {string} */
      outcome: 'ignored' | 'refused'
      /** @example codehost */
      provider: string
      /**
       * @description Why the signature was rejected: `missing`, `malformed`, `mismatch` or `expired`.
       * @example null
       */
      reason: string | null
      /**
       * @description The HTTP status of the response.
       * @example 200
       */
      status: number
    }
    UnprocessedDeliveryDetail: {
      /** @description The bytes, as text if they are UTF-8. The body of a refused delivery may come from anybody. A long body is cut. */
      body: {
        data: string
        /** @enum {string} */
        encoding: 'utf-8' | 'base64'
      }
      /**
       * @description The length of the received body.
       * @example 812
       */
      body_bytes: number
      /**
       * @description `cut`: only the first bytes were kept, and the delivery cannot be replayed.
       * @enum {string}
       */
      body_state: 'stored' | 'cut'
      /**
       * Format: date-time
       * @description The time of the receipt.
       */
      created_at: string
      /**
       * @description The id of the endpoint; null for the address without an endpoint.
       * @example null
       */
      endpoint: string | null
      /** @description By lower-case name; secrets and signatures are redacted. */
      headers: {
        [key: string]: string
      }
      /** Format: uuid */
      id: string
      /**
       * @description The service's name for the kind of an ignored delivery, if the provider knows it.
       * @example star.created
       */
      kind: string | null
      /** @enum {string} */
      outcome: 'ignored' | 'refused'
      /** @example codehost */
      provider: string
      /**
       * @description Why the signature was rejected: `missing`, `malformed`, `mismatch` or `expired`.
       * @example null
       */
      reason: string | null
      /**
       * @description The HTTP status of the response.
       * @example 200
       */
      status: number
    }
    UnprocessedDiagnosis: {
      /** @description What explains the refusal, without secrets. */
      mistakes: {
        /** @example SECRET_WHITESPACE */
        code: string
        /** @example The secret has white space at an end: remove it. */
        message: string
      }[]
      /**
       * @description Whether the signature is valid with the current secrets.
       * @example false
       */
      verified: boolean
    }
    UnprocessedReplay: {
      /** @description The id of the delivery that is recorded now; null if the outcome is another. */
      delivery_id: string | null
      /**
       * @description A delivery that is accepted, a duplicate or quarantined leaves the list. `ignored`: its provider does not handle the kind. `refused`: its signature is not valid.
       * @enum {string}
       */
      outcome: 'accepted' | 'duplicate' | 'quarantined' | 'ignored' | 'refused'
      /**
       * @description The kind of an ignored delivery, the reason of a failed verification or a quarantine, or an error code.
       * @example null
       */
      reason: string | null
    }
  }
  responses: {
    /** @description Content Too Large: PAYLOAD_TOO_LARGE. */
    ContentTooLarge: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Internal Server Error: INTERNAL_ERROR. */
    InternalServerError: {
      headers: {
        /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
        RateLimit?: string
        /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
        'RateLimit-Policy'?: string
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Not Acceptable: NOT_ACCEPTABLE. */
    NotAcceptable: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Precondition Failed: PRECONDITION_FAILED. */
    PreconditionFailed: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Request Timeout: REQUEST_TIMEOUT. */
    RequestTimeout: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Service Unavailable: SERVICE_UNAVAILABLE. */
    ServiceUnavailable: {
      headers: {
        /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
        RateLimit?: string
        /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
        'RateLimit-Policy'?: string
        /** @description Seconds to wait. */
        'Retry-After'?: number
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Too Many Requests: RATE_LIMITED. */
    TooManyRequests: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        /** @description Seconds to wait. */
        'Retry-After': number
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Unauthorized: TOKEN_MISSING, INVALID_TOKEN. */
    Unauthorized: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'WWW-Authenticate': components['headers']['WWW-Authenticate']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Unprocessable Content: IDEMPOTENCY_KEY_REUSED. */
    UnprocessableContent: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE. */
    UnsupportedMediaType: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
    /** @description URI Too Long: URI_TOO_LONG. */
    URITooLong: {
      headers: {
        RateLimit: components['headers']['RateLimit']
        'RateLimit-Policy': components['headers']['RateLimit-Policy']
        'X-Request-Id': components['headers']['X-Request-Id']
        [name: string]: unknown
      }
      content: {
        'application/json': components['schemas']['ErrorEnvelope']
        'application/problem+json': components['schemas']['ProblemDetails']
      }
    }
  }
  parameters: {
    /** @description The id of an event of this stream: the stream continues after it. The header Last-Event-ID takes precedence. Without both, the stream starts with new items. */
    after: string
    /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
    createdAfter: string
    /** @description Keeps the items before this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
    createdBefore: string
    /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
    cursor: string
    /** @description The exact last error of an event that is not published. */
    error: string
    /** @description The id of an event of the delivery, also the id before a replay as new. */
    eventId: string
    /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
    'Idempotency-Key': string
    /** @description The ETag that the change is based on; 412 when it is not current. */
    'If-Match': string
    /** @description ETags of cached representations; 304 when one of them is current. */
    'If-None-Match': string
    /** @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix. */
    kind: string
    /** @description Number of items per page. */
    limit: number
    /** @description The least attempts to publish an event, including a successful attempt. */
    minAttempts: number
    name: string
    /** @description `quarantined`: in quarantine. `accepted`: all other deliveries. */
    outcome: 'accepted' | 'quarantined'
    /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
    page: number
    /** @description Keeps the items that match provider. */
    provider: string
    /** @description The code of the reason for the quarantine. */
    reason: string
    /** @description The position of the event on the bus. */
    sequence: string
    /** @description Comma-separated, a leading - for descending: created_at. */
    sort: string
    /** @description The subject of an event. */
    subject: string
    /** @description The start of the subject of an event, or the id of a delivery or of an event. */
    text: string
  }
  requestBodies: never
  headers: {
    /** @description The version of the representation. */
    ETag: string
    /** @description Present if the response repeats that of an earlier request with the same key. */
    'Idempotent-Replayed': 'true'
    /** @description Other pages of the list: RFC 8288. */
    Link: string
    /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
    RateLimit: string
    /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
    'RateLimit-Policy': string
    /** @description The authentication scheme. */
    'WWW-Authenticate': string
    /** @description The id of the request, for questions about it. A valid id of the request is kept. */
    'X-Request-Id': string
  }
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  listAudit: {
    parameters: {
      query?: {
        /** @description Keeps the items that match action. */
        action?: string
        /** @description Keeps the items that match actor. */
        actor?: string
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description Keeps the items before this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdBefore?: components['parameters']['createdBefore']
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Comma-separated names of the fields to return: id, actor_id, actor_name, action, target, detail, created_at. */
        fields?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
        /** @description Keeps the items that match target. */
        target?: string
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of entries. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "actor_id": "ann",
           *           "actor_name": "ann@example.com",
           *           "action": "endpoint.delete",
           *           "target": "5Xo2aPq0VnTr8hZkWm3uYd",
           *           "detail": {
           *             "provider": "codehost"
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['AuditEntry'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listConsumers: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Comma-separated, a leading - for descending: name. */
        sort?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of consumers */
      200: {
        headers: {
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "name": "builds",
           *           "process": "worker-1:4711",
           *           "position": 0,
           *           "pending": 0,
           *           "waiting": 0,
           *           "failing": 0,
           *           "dead_letters": 0,
           *           "last_error": "TimeoutError",
           *           "oldest_pending_at": null
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Consumer'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  deleteConsumer: {
    parameters: {
      query?: never
      header?: never
      path: {
        name: components['parameters']['name']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The consumer is deleted */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listConsumerDeadLetters: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
      }
      header?: never
      path: {
        name: components['parameters']['name']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of dead letters */
      200: {
        headers: {
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "sequence": 12,
           *           "event_id": "codehost:workflow_run.completed:289782451:1",
           *           "name": "codehost/push",
           *           "subject": "octo-org/octo-repo",
           *           "provider": "codehost",
           *           "endpoint": null,
           *           "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "error": "TimeoutError",
           *           "retried": true,
           *           "dead_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ConsumerDeadLetter'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  deleteConsumerDeadLetter: {
    parameters: {
      query?: never
      header?: never
      path: {
        name: components['parameters']['name']
        /** @description The position of the event on the bus. */
        sequence: components['parameters']['sequence']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The dead letter is deleted */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  retryConsumerDeadLetter: {
    parameters: {
      query?: never
      header?: never
      path: {
        name: components['parameters']['name']
        /** @description The position of the event on the bus. */
        sequence: components['parameters']['sequence']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The dead letter is retried */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "events": 0,
           *         "more": true
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['RetriedDeadLetters']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  retryConsumerDeadLetters: {
    parameters: {
      query?: never
      header?: never
      path: {
        name: components['parameters']['name']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The number of dead letters */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "events": 0,
           *         "more": true
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['RetriedDeadLetters']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listConsumerRetries: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
      }
      header?: never
      path: {
        name: components['parameters']['name']
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events */
      200: {
        headers: {
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "sequence": 12,
           *           "event_id": "codehost:workflow_run.completed:289782451:1",
           *           "name": "codehost/push",
           *           "subject": "octo-org/octo-repo",
           *           "provider": "codehost",
           *           "endpoint": null,
           *           "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "error": "TimeoutError",
           *           "attempts": 3,
           *           "due_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ConsumerRetry'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listDeliveries: {
    parameters: {
      query?: {
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description Keeps the items before this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdBefore?: components['parameters']['createdBefore']
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Keeps the items that match endpoint. */
        endpoint?: string
        /** @description The exact last error of an event that is not published. */
        error?: components['parameters']['error']
        /** @description The id of an event of the delivery, also the id before a replay as new. */
        eventId?: components['parameters']['eventId']
        /** @description Comma-separated names of the fields to return: id, provider, endpoint, status, reason, reason_detail, body_state, body_bytes, kind, subject, attempts, last_error, event_counts, created_at. */
        fields?: string
        /** @description The id of the delivery. */
        id?: string
        /** @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix. */
        kind?: components['parameters']['kind']
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description The least attempts to publish an event, including a successful attempt. */
        minAttempts?: components['parameters']['minAttempts']
        /** @description `quarantined`: in quarantine. `accepted`: all other deliveries. */
        outcome?: components['parameters']['outcome']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Keeps the items that match provider. */
        provider?: components['parameters']['provider']
        /** @description The code of the reason for the quarantine. */
        reason?: components['parameters']['reason']
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
        /** @description Keeps the items that match status. */
        status?: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
        /** @description The subject of an event. */
        subject?: components['parameters']['subject']
        /** @description The start of the subject of an event, or the id of a delivery or of an event. */
        text?: components['parameters']['text']
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of deliveries. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "provider": "codehost",
           *           "endpoint": null,
           *           "status": "pending",
           *           "reason": null,
           *           "reason_detail": null,
           *           "body_state": "stored",
           *           "body_bytes": 19710,
           *           "kind": "workflow_run.completed",
           *           "subject": "octo-org/octo-repo/actions/runs/289782451",
           *           "attempts": 1,
           *           "last_error": null,
           *           "event_counts": {
           *             "pending": 1,
           *             "queued": 1,
           *             "published": 1,
           *             "dead": 1
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Delivery'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The delivery */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "provider": "codehost",
           *         "endpoint": null,
           *         "status": "pending",
           *         "reason": null,
           *         "reason_detail": null,
           *         "body_state": "stored",
           *         "body_bytes": 19710,
           *         "kind": "workflow_run.completed",
           *         "subject": "octo-org/octo-repo/actions/runs/289782451",
           *         "attempts": 1,
           *         "last_error": null,
           *         "headers": {},
           *         "query": null,
           *         "body": {
           *           "encoding": "utf-8",
           *           "data": "text"
           *         },
           *         "events": [
           *           {
           *             "id": "codehost:workflow_run.completed:289782451:1",
           *             "name": "codehost/workflow_run.completed",
           *             "subject": "octo-org/octo-repo/actions/runs/289782451",
           *             "route": "direct",
           *             "state": "pending",
           *             "attempts": 1,
           *             "due_at": "2026-01-31T12:00:00.000Z",
           *             "failures": [
           *               {
           *                 "at": "2026-01-31T12:00:00.000Z",
           *                 "error": "TimeoutError"
           *               }
           *             ],
           *             "lease_ends_at": "2026-01-31T12:00:00.000Z",
           *             "occurred_at": "2026-01-31T12:00:00.000Z",
           *             "published_at": "2026-01-31T12:00:00.000Z",
           *             "duplicate": false,
           *             "notification": {
           *               "state": "waiting",
           *               "attempts": 1,
           *               "due_at": "2026-01-31T12:00:00.000Z",
           *               "failures": [
           *                 {
           *                   "at": "2026-01-31T12:00:00.000Z",
           *                   "error": "TimeoutError"
           *                 }
           *               ]
           *             }
           *           }
           *         ],
           *         "created_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['DeliveryDetail']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  eraseDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag that the change is based on; 412 when it is not current. */
        'If-Match'?: components['parameters']['If-Match']
        /** @description ETags that the change must not apply to; 412 when one of them is current. */
        'If-None-Match'?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The content is erased */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      412: components['responses']['PreconditionFailed']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getEventData: {
    parameters: {
      query: {
        /** @description The id of the event. */
        event: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The data of the event */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /** @example {} */
          'application/json': unknown
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  replayDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /**
         * @example {
         *       "as_new": true
         *     }
         */
        'application/json': components['schemas']['ReplayDelivery']
      }
    }
    responses: {
      /** @description The events that are due */
      202: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "outcome": "replayed",
           *         "reason": null,
           *         "events": [
           *           "text"
           *         ],
           *         "republished": 0,
           *         "note": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Replay']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      414: components['responses']['URITooLong']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  retryDelivery: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The number of events that are due */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "events": 1,
           *         "more": false
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Retry']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  streamDeliveries: {
    parameters: {
      query?: {
        /** @description The id of an event of this stream: the stream continues after it. The header Last-Event-ID takes precedence. Without both, the stream starts with new items. */
        after?: components['parameters']['after']
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description Keeps the items before this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdBefore?: components['parameters']['createdBefore']
        endpoint?: string
        /** @description The exact last error of an event that is not published. */
        error?: components['parameters']['error']
        /** @description The id of an event of the delivery, also the id before a replay as new. */
        eventId?: components['parameters']['eventId']
        /** @description The id of the delivery. */
        id?: string
        /** @description The kind of an event: its name without the provider. A trailing * matches all kinds with this prefix. */
        kind?: components['parameters']['kind']
        /** @description The least attempts to publish an event, including a successful attempt. */
        minAttempts?: components['parameters']['minAttempts']
        /** @description `quarantined`: in quarantine. `accepted`: all other deliveries. */
        outcome?: components['parameters']['outcome']
        provider?: string
        /** @description The code of the reason for the quarantine. */
        reason?: components['parameters']['reason']
        status?: 'pending' | 'queued' | 'published' | 'quarantined' | 'dead'
        /** @description The subject of an event. */
        subject?: components['parameters']['subject']
        /** @description The start of the subject of an event, or the id of a delivery or of an event. */
        text?: components['parameters']['text']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The deliveries */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example id: 3q2-7wAAAAB…
           *     event: delivery
           *     data: {"id":"…"}
           */
          'text/event-stream': string
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Acceptable: NOT_ACCEPTABLE. */
      406: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      /** @description Service Unavailable: OVERLOADED, SERVICE_UNAVAILABLE. */
      503: {
        headers: {
          /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
          RateLimit?: string
          /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
          'RateLimit-Policy'?: string
          /** @description Seconds to wait. */
          'Retry-After'?: number
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
    }
  }
  listEndpoints: {
    parameters: {
      query?: {
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Comma-separated names of the fields to return: id, provider, name, status, url, secrets, labels, options, handshake_until, created_at, updated_at. */
        fields?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Keeps the items that match provider. */
        provider?: components['parameters']['provider']
        /** @description Case-insensitive substring of name. */
        search?: string
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
        /** @description Keeps the items that match status. */
        status?: 'active' | 'disabled'
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of endpoints. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "5Xo2aPq0VnTr8hZkWm3uYd",
           *           "provider": "codehost",
           *           "name": "Acme Ltd",
           *           "status": "active",
           *           "url": "text",
           *           "secrets": [
           *             {
           *               "id": "text",
           *               "created_at": "2026-01-31T12:00:00.000Z",
           *               "readable": true
           *             }
           *           ],
           *           "labels": {
           *             "plan": "free"
           *           },
           *           "options": {
           *             "only": [
           *               "push",
           *               "pull_request.*"
           *             ],
           *             "tolerance_seconds": 600
           *           },
           *           "handshake_until": "2026-01-31T12:00:00.000Z",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "updated_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Endpoint'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  createEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "provider": "codehost",
         *       "name": "Acme Ltd"
         *     }
         */
        'application/json': components['schemas']['CreateEndpoint']
      }
    }
    responses: {
      /** @description The endpoint with its secret */
      201: {
        headers: {
          ETag: components['headers']['ETag']
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          /** @description The address of the endpoint */
          Location: string
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5Xo2aPq0VnTr8hZkWm3uYd",
           *         "provider": "codehost",
           *         "name": "Acme Ltd",
           *         "status": "active",
           *         "url": "text",
           *         "secrets": [
           *           {
           *             "id": "text",
           *             "created_at": "2026-01-31T12:00:00.000Z",
           *             "readable": true
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ],
           *           "tolerance_seconds": 600
           *         },
           *         "handshake_until": "2026-01-31T12:00:00.000Z",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "secret": "6f0b…"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedEndpoint']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The endpoint */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5Xo2aPq0VnTr8hZkWm3uYd",
           *         "provider": "codehost",
           *         "name": "Acme Ltd",
           *         "status": "active",
           *         "url": "text",
           *         "secrets": [
           *           {
           *             "id": "text",
           *             "created_at": "2026-01-31T12:00:00.000Z",
           *             "readable": true
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ],
           *           "tolerance_seconds": 600
           *         },
           *         "handshake_until": "2026-01-31T12:00:00.000Z",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Endpoint']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  deleteEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag that the change is based on; 412 when it is not current. */
        'If-Match'?: components['parameters']['If-Match']
        /** @description ETags that the change must not apply to; 412 when one of them is current. */
        'If-None-Match'?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The endpoint is deleted */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      412: components['responses']['PreconditionFailed']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  patchEndpoint: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag that the change is based on; 412 when it is not current. */
        'If-Match'?: components['parameters']['If-Match']
        /** @description ETags that the change must not apply to; 412 when one of them is current. */
        'If-None-Match'?: string
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "disabled"
         *     }
         */
        'application/json': components['schemas']['PatchEndpoint']
      }
    }
    responses: {
      /** @description The endpoint */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5Xo2aPq0VnTr8hZkWm3uYd",
           *         "provider": "codehost",
           *         "name": "Acme Ltd",
           *         "status": "active",
           *         "url": "text",
           *         "secrets": [
           *           {
           *             "id": "text",
           *             "created_at": "2026-01-31T12:00:00.000Z",
           *             "readable": true
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ],
           *           "tolerance_seconds": 600
           *         },
           *         "handshake_until": "2026-01-31T12:00:00.000Z",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Endpoint']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      412: components['responses']['PreconditionFailed']
      413: components['responses']['ContentTooLarge']
      414: components['responses']['URITooLong']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  startEndpointHandshake: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The endpoint */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5Xo2aPq0VnTr8hZkWm3uYd",
           *         "provider": "codehost",
           *         "name": "Acme Ltd",
           *         "status": "active",
           *         "url": "text",
           *         "secrets": [
           *           {
           *             "id": "text",
           *             "created_at": "2026-01-31T12:00:00.000Z",
           *             "readable": true
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ],
           *           "tolerance_seconds": 600
           *         },
           *         "handshake_until": "2026-01-31T12:00:00.000Z",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Endpoint']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  readHandshakeSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The secret */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "text",
           *         "secret": "6f0b…"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['HandshakeSecret']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  addEndpointSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': components['schemas']['AddEndpointSecret']
      }
    }
    responses: {
      /** @description The secret */
      201: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "text",
           *         "secret": "6f0b…",
           *         "created_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['EndpointSecret']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      414: components['responses']['URITooLong']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  removeEndpointSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        secret_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The secret is removed */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  createTestDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "kind": "workflow_run.completed"
         *     }
         */
        'application/json': components['schemas']['CreateTestDelivery']
      }
    }
    responses: {
      /** @description The response of the gateway */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "kind": "workflow_run.completed",
           *         "outcome": "accepted",
           *         "status": 200,
           *         "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "reason": null,
           *         "code": null,
           *         "message": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['TestDelivery']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      414: components['responses']['URITooLong']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listEvents: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Keeps the items that match endpoint. */
        endpoint?: string
        /** @description Comma-separated names of the fields to return: id, name, provider, endpoint, subject, delivery_id, route, occurred_at, published_at, data. */
        fields?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Keeps the items that match name. */
        name?: string
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Keeps the items that match provider. */
        provider?: components['parameters']['provider']
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of events. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "codehost:workflow_run.completed:289782451:1",
           *           "name": "codehost/workflow_run.completed",
           *           "provider": "codehost",
           *           "endpoint": null,
           *           "subject": "octo-org/octo-repo/actions/runs/289782451",
           *           "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "route": "direct",
           *           "occurred_at": "2026-01-31T12:00:00.000Z",
           *           "published_at": "2026-01-31T12:00:00.000Z",
           *           "data": {}
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: {
              data: unknown
              /** Format: uuid */
              delivery_id: string
              /**
               * @description The id of the endpoint; null for the address without an endpoint.
               * @example null
               */
              endpoint: string | null
              /** @example codehost:workflow_run.completed:289782451:1 */
              id: string
              /** @example codehost/workflow_run.completed */
              name: string
              /** Format: date-time */
              occurred_at: string
              /** @example codehost */
              provider: string
              /** Format: date-time */
              published_at: string
              /** @enum {string} */
              route: 'direct' | 'queue'
              /** @example octo-org/octo-repo/actions/runs/289782451 */
              subject: string
            }[]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  streamEvents: {
    parameters: {
      query?: {
        /** @description The id of an event of this stream: the stream continues after it. The header Last-Event-ID takes precedence. Without both, the stream starts with new items. */
        after?: components['parameters']['after']
        endpoint?: string
        name?: string
        provider?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The events */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example id: 3q2-7wAAAAB…
           *     event: event
           *     data: {"id":"…"}
           */
          'text/event-stream': string
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Acceptable: NOT_ACCEPTABLE. */
      406: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      /** @description Service Unavailable: OVERLOADED, SERVICE_UNAVAILABLE. */
      503: {
        headers: {
          /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
          RateLimit?: string
          /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
          'RateLimit-Policy'?: string
          /** @description Seconds to wait. */
          'Retry-After'?: number
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
    }
  }
  listFailures: {
    parameters: {
      query?: {
        endpoint?: string
        provider?: string
        status?: 'pending' | 'queued' | 'dead'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The groups */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "groups": [
           *           {
           *             "status": "pending",
           *             "provider": "codehost",
           *             "kind": "push",
           *             "error": "TimeoutError",
           *             "events": 12,
           *             "first_received_at": "2026-01-31T12:00:00.000Z",
           *             "last_received_at": "2026-01-31T12:00:00.000Z",
           *             "newest_delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057"
           *           }
           *         ],
           *         "truncated": false,
           *         "consumers": [
           *           {
           *             "name": "builds",
           *             "process": "worker-1:4711",
           *             "position": 0,
           *             "pending": 0,
           *             "waiting": 0,
           *             "failing": 0,
           *             "dead_letters": 0,
           *             "last_error": "TimeoutError",
           *             "oldest_pending_at": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Failures']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listKeys: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Comma-separated names of the fields to return: id, name, scopes, created_by, created_at, expires_at, last_used_at, prefix. */
        fields?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of keys, without their secrets. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "5d41402abc4b2a76",
           *           "name": "CI",
           *           "scopes": [
           *             "deliveries:read",
           *             "replays:write"
           *           ],
           *           "created_by": "ann",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "expires_at": null,
           *           "last_used_at": "2026-01-31T12:00:00.000Z",
           *           "prefix": "sp_5d41402abc4b2a76"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Key'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "CI",
         *       "scopes": [
         *         "deliveries:read",
         *         "replays:write"
         *       ]
         *     }
         */
        'application/json': components['schemas']['CreateKey']
      }
    }
    responses: {
      /** @description The key with its secret */
      201: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5d41402abc4b2a76",
           *         "name": "CI",
           *         "scopes": [
           *           "deliveries:read",
           *           "replays:write"
           *         ],
           *         "created_by": "ann",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "expires_at": null,
           *         "last_used_at": "2026-01-31T12:00:00.000Z",
           *         "prefix": "sp_5d41402abc4b2a76",
           *         "key": "sp_<id>_<secret>"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['CreatedKey']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getKey: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The key, without its secret */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "5d41402abc4b2a76",
           *         "name": "CI",
           *         "scopes": [
           *           "deliveries:read",
           *           "replays:write"
           *         ],
           *         "created_by": "ann",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "expires_at": null,
           *         "last_used_at": "2026-01-31T12:00:00.000Z",
           *         "prefix": "sp_5d41402abc4b2a76"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Key']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  deleteKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The key is deleted */
      204: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getOperator: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The operator */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "ann",
           *         "name": "ann@example.com",
           *         "permissions": [
           *           "read"
           *         ],
           *         "scopes": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Operator']
          }
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listProviders: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The providers */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "name": "github",
           *           "title": "GitHub",
           *           "registered": true,
           *           "form": "service",
           *           "trust": "signed",
           *           "docs": "https://docs.github.com"
           *         }
           *       ]
           *     }
           */
          'application/json': {
            data: components['schemas']['ProviderSummary'][]
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getProvider: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The provider */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "name": "github",
           *         "title": "GitHub",
           *         "registered": true,
           *         "form": "service",
           *         "trust": "signed",
           *         "docs": "https://docs.github.com",
           *         "signature": {
           *           "headers": [
           *             "x-hub-signature-256"
           *           ],
           *           "covers": null
           *         },
           *         "secret": "generated",
           *         "handshake": [
           *           "GET"
           *         ],
           *         "identity": {
           *           "by": "parts",
           *           "parts": [
           *             "header x-github-delivery"
           *           ],
           *           "without": []
           *         },
           *         "kind": [
           *           "header x-github-event",
           *           "action"
           *         ],
           *         "kinds": [],
           *         "samples": [
           *           "push"
           *         ],
           *         "setup": [
           *           "Open Settings, Webhooks, and add the address."
           *         ],
           *         "traps": [],
           *         "retries": null,
           *         "confidence": "primary",
           *         "checked": "2026-11",
           *         "sources": [
           *           "https://docs.github.com/webhooks"
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Provider']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listReplayJobs: {
    parameters: {
      query?: {
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Comma-separated names of the fields to return: id, status, filter, as_new, total, processed, replayed, unchanged, quarantined, erased, events, error, created_by, created_at, updated_at, finished_at. */
        fields?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of jobs. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "status": "running",
           *           "filter": {
           *             "status": "dead",
           *             "provider": "codehost"
           *           },
           *           "as_new": true,
           *           "total": 20000,
           *           "processed": 1,
           *           "replayed": 1,
           *           "unchanged": 1,
           *           "quarantined": 1,
           *           "erased": 1,
           *           "events": 1,
           *           "error": null,
           *           "created_by": "ann",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "updated_at": "2026-01-31T12:00:00.000Z",
           *           "finished_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ReplayJob'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  createReplayJob: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "dead",
         *       "provider": "codehost"
         *     }
         */
        'application/json': components['schemas']['CreateReplayJob']
      }
    }
    responses: {
      /** @description The running job */
      202: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "status": "running",
           *         "filter": {
           *           "status": "dead",
           *           "provider": "codehost"
           *         },
           *         "as_new": true,
           *         "total": 20000,
           *         "processed": 1,
           *         "replayed": 1,
           *         "unchanged": 1,
           *         "quarantined": 1,
           *         "erased": 1,
           *         "events": 1,
           *         "error": null,
           *         "created_by": "ann",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "finished_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getReplayJob: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The job */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "status": "running",
           *         "filter": {
           *           "status": "dead",
           *           "provider": "codehost"
           *         },
           *         "as_new": true,
           *         "total": 20000,
           *         "processed": 1,
           *         "replayed": 1,
           *         "unchanged": 1,
           *         "quarantined": 1,
           *         "erased": 1,
           *         "events": 1,
           *         "error": null,
           *         "created_by": "ann",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "finished_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  cancelReplayJob: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The job */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "status": "running",
           *         "filter": {
           *           "status": "dead",
           *           "provider": "codehost"
           *         },
           *         "as_new": true,
           *         "total": 20000,
           *         "processed": 1,
           *         "replayed": 1,
           *         "unchanged": 1,
           *         "quarantined": 1,
           *         "erased": 1,
           *         "events": 1,
           *         "error": null,
           *         "created_by": "ann",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "finished_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  replayDeliveries: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "dead",
         *       "provider": "codehost"
         *     }
         */
        'application/json': components['schemas']['ReplayDeliveries']
      }
    }
    responses: {
      /** @description The number of matching deliveries, for `dry_run` */
      200: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "deliveries": 1,
           *         "truncated": false
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['ReplayDryRun']
          }
        }
      }
      /** @description The events that are due */
      202: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "deliveries": 1,
           *         "replayed": 1,
           *         "unchanged": 1,
           *         "quarantined": 1,
           *         "erased": 1,
           *         "events": 1,
           *         "republished": 0,
           *         "note": null,
           *         "next": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['BulkReplay']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      413: components['responses']['ContentTooLarge']
      415: components['responses']['UnsupportedMediaType']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  retryEvents: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        /**
         * @example {
         *       "provider": "codehost"
         *     }
         */
        'application/json': components['schemas']['RetryEvents']
      }
    }
    responses: {
      /** @description The number of events that are due */
      202: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "events": 1,
           *         "more": false
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Retry']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST, INVALID_JSON. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      408: components['responses']['RequestTimeout']
      413: components['responses']['ContentTooLarge']
      415: components['responses']['UnsupportedMediaType']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getStatistics: {
    parameters: {
      query?: {
        /** @description Default: `1h`. */
        window?: '1h' | '24h' | '7d'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The numbers of requests */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "window": "1h",
           *         "interval_seconds": 60,
           *         "from": "2026-01-31T12:00:00.000Z",
           *         "to": "2026-01-31T12:00:00.000Z",
           *         "totals": {
           *           "accepted": 12,
           *           "duplicate": 12,
           *           "ignored": 12,
           *           "quarantined": 12,
           *           "refused": 12
           *         },
           *         "series": [
           *           {
           *             "provider": "codehost",
           *             "outcome": "accepted",
           *             "counts": [
           *               0,
           *               3,
           *               1
           *             ]
           *           }
           *         ],
           *         "reasons": [
           *           {
           *             "provider": "codehost",
           *             "outcome": "accepted",
           *             "reason": "INVALID_SIGNATURE",
           *             "count": 12
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Statistics']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getEndpointStatistics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The endpoints */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "endpoints": [
           *           {
           *             "provider": "codehost",
           *             "endpoint": "5Xo2aPq0VnTr8hZkWm3uYd",
           *             "deliveries": 12,
           *             "last_received_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['EndpointStatistics']
          }
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getStatus: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The state */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "status": "ok",
           *         "dependencies": [
           *           {
           *             "name": "inbox",
           *             "status": "ok",
           *             "detail": null
           *           }
           *         ],
           *         "notices": [],
           *         "counts": {
           *           "pending": 0,
           *           "queued": 0,
           *           "dead": 0,
           *           "quarantined": 0,
           *           "notifications_pending": 0,
           *           "notifications_dead": 0
           *         },
           *         "oldest_pending_at": "2026-01-31T12:00:00.000Z",
           *         "consumers": {
           *           "pending": 0,
           *           "failing": 0,
           *           "dead_letters": 0,
           *           "oldest_pending_at": "2026-01-31T12:00:00.000Z"
           *         },
           *         "published": 0
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['Status']
          }
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  listUnprocessedDeliveries: {
    parameters: {
      query?: {
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description Keeps the items before this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdBefore?: components['parameters']['createdBefore']
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Keeps the items that match endpoint. */
        endpoint?: string
        /** @description Comma-separated names of the fields to return: id, provider, endpoint, outcome, kind, reason, status, body_bytes, created_at. */
        fields?: string
        /** @description Keeps the items that match kind. */
        kind?: string
        /** @description Number of items per page. */
        limit?: components['parameters']['limit']
        /** @description Keeps the items that match outcome. */
        outcome?: 'ignored' | 'refused'
        /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
        page?: components['parameters']['page']
        /** @description Keeps the items that match provider. */
        provider?: components['parameters']['provider']
        /** @description Keeps the items that match reason. */
        reason?: string
        /** @description Comma-separated, a leading - for descending: created_at. */
        sort?: components['parameters']['sort']
      }
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description A page of deliveries. If the request has `fields`, each item has only these fields. */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          Link: components['headers']['Link']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *           "provider": "codehost",
           *           "endpoint": null,
           *           "outcome": "ignored",
           *           "kind": "star.created",
           *           "reason": null,
           *           "status": 200,
           *           "body_bytes": 812,
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "page": 1,
           *         "limit": 20,
           *         "total": 1,
           *         "totalPages": 1
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['UnprocessedDelivery'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getUnprocessedDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description ETags of cached representations; 304 when one of them is current. */
        'If-None-Match'?: components['parameters']['If-None-Match']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The delivery */
      200: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "provider": "codehost",
           *         "endpoint": null,
           *         "outcome": "ignored",
           *         "kind": "star.created",
           *         "reason": null,
           *         "status": 200,
           *         "body_bytes": 812,
           *         "headers": {},
           *         "body": {
           *           "encoding": "utf-8",
           *           "data": "text"
           *         },
           *         "body_state": "stored",
           *         "created_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['UnprocessedDeliveryDetail']
          }
        }
      }
      /** @description One of the ETags in If-None-Match is current. */
      304: {
        headers: {
          ETag: components['headers']['ETag']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content?: never
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      503: components['responses']['ServiceUnavailable']
    }
  }
  getUnprocessedDiagnosis: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The diagnosis */
      200: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "verified": false,
           *         "mistakes": [
           *           {
           *             "code": "SECRET_WHITESPACE",
           *             "message": "The secret has white space at an end: remove it."
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['UnprocessedDiagnosis']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      /** @description Service Unavailable: PROVIDER_UNAVAILABLE, SERVICE_UNAVAILABLE. */
      503: {
        headers: {
          /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
          RateLimit?: string
          /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
          'RateLimit-Policy'?: string
          /** @description Seconds to wait. */
          'Retry-After'?: number
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
    }
  }
  replayUnprocessedDelivery: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description The outcome */
      202: {
        headers: {
          'Idempotent-Replayed': components['headers']['Idempotent-Replayed']
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "data": {
           *         "delivery_id": "01890a5d-ac96-774b-bcce-b302099a8057",
           *         "outcome": "accepted",
           *         "reason": null
           *       }
           *     }
           */
          'application/json': {
            data: components['schemas']['UnprocessedReplay']
          }
        }
      }
      /** @description Bad Request: VALIDATION_ERROR, BAD_REQUEST. */
      400: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      401: components['responses']['Unauthorized']
      /** @description Forbidden: FORBIDDEN. */
      403: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      /** @description Not Found: NOT_FOUND. */
      404: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      406: components['responses']['NotAcceptable']
      /** @description Conflict: IDEMPOTENCY_KEY_IN_USE, CONFLICT. */
      409: {
        headers: {
          RateLimit: components['headers']['RateLimit']
          'RateLimit-Policy': components['headers']['RateLimit-Policy']
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
      414: components['responses']['URITooLong']
      422: components['responses']['UnprocessableContent']
      429: components['responses']['TooManyRequests']
      500: components['responses']['InternalServerError']
      /** @description Service Unavailable: INBOX_UNAVAILABLE, PROVIDER_UNAVAILABLE, SERVICE_UNAVAILABLE. */
      503: {
        headers: {
          /** @description The rate limit with the fewest remaining requests: `r` requests, full again in `t` seconds. */
          RateLimit?: string
          /** @description The quota of each rate limit of the request: `q` requests in `w` seconds. */
          'RateLimit-Policy'?: string
          /** @description Seconds to wait. */
          'Retry-After'?: number
          'X-Request-Id': components['headers']['X-Request-Id']
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ErrorEnvelope']
          'application/problem+json': components['schemas']['ProblemDetails']
        }
      }
    }
  }
}
