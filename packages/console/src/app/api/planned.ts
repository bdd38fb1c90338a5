// Types of routes that an API can have in addition to those of schema.ts. A page is absent if the API lacks its routes.

export interface paths {
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
     * @description An endpoint is an address of a provider with separate secrets, such as for one customer. The response is the only one with the generated secret.
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
     * @description Signs a new sample of the provider with the newest secret of the endpoint, and passes it through the gateway. An accepted sample is published as other events are.
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
  '/failures': {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    get: operations['listFailures']
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
     * Get the facts and setup steps of a provider
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
    get: operations['listReplayJobs']
    put?: never
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
    get: operations['getReplayJob']
    put?: never
    post?: never
    delete: operations['cancelReplayJob']
    options?: never
    head?: never
    patch?: never
    trace?: never
  }
}
export interface components {
  schemas: {
    AddEndpointSecret: {
      /**
       * @description Default: a generated secret.
       * @example a signing secret
       */
      secret?: string
    }
    CreatedEndpoint: {
      /** Format: date-time */
      readonly created_at: string
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
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as the operator configured.
       * @enum {string}
       */
      status: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at: string
      /** @description The address for the service. A path if the server does not know its public URL. */
      readonly url: string
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
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as the operator configured. Default: `active`.
       * @enum {string}
       */
      status?: 'active' | 'disabled'
    }
    CreateTestDelivery: {
      /** @example push */
      kind: string
    }
    /** @description The continuation of a cursor page. */
    CursorMeta: {
      hasMore: boolean
      /** @description A cursor on every page; on the last page it finds new items later. */
      nextCursor: string
    }
    Endpoint: {
      /** Format: date-time */
      readonly created_at: string
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
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as the operator configured.
       * @enum {string}
       */
      status: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at: string
      /** @description The address for the service. A path if the server does not know its public URL. */
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
      count: number
      delivery_id: string
      error: string | null
      first_seen_at: string
      kind: string | null
      last_seen_at: string
      provider: string
      /** @enum {unknown} */
      status: 'pending' | 'dead'
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
    PatchEndpoint: {
      /** Format: date-time */
      readonly created_at?: string
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
      }[]
      /**
       * @description The gateway refuses deliveries to a disabled endpoint with 410, or as the operator configured.
       * @enum {string}
       */
      status?: 'active' | 'disabled'
      /** Format: date-time */
      readonly updated_at?: string
      /** @description The address for the service. A path if the server does not know its public URL. */
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
       * @description Whether the facts are from the service or from code that receives its deliveries.
       * @enum {string|null}
       */
      confidence: 'primary' | 'secondary' | null
      /**
       * @description The page of the service on its webhooks.
       * @example https://docs.github.com
       */
      docs: string | null
      /**
       * @description A service passes payloads on; a normalized provider converts them to a stable schema.
       * @enum {string}
       */
      form: 'service' | 'normalized'
      /**
       * @description The methods of challenges of the service.
       * @example [
       *       "GET"
       *     ]
       */
      handshake: string[]
      /**
       * @description What identifies an event of a service. Empty: the hash of the body.
       * @example [
       *       "header x-github-delivery"
       *     ]
       */
      identity: string[]
      /**
       * @description Where the kind of a service is.
       * @example [
       *       "header x-github-event",
       *       "action"
       *     ]
       */
      kind: string[]
      /**
       * @description The kinds of a normalized provider.
       * @example [
       *       "push"
       *     ]
       */
      kinds: string[]
      /** @example github */
      name: string
      /** @description Whether the gateway receives deliveries of the provider. */
      registered: boolean
      /** @example null */
      retries: string | null
      /**
       * @description The kinds with a sample, for test deliveries.
       * @example [
       *       "push"
       *     ]
       */
      samples: string[]
      /**
       * @description Whether an endpoint can generate its secret, or who sends it.
       * @enum {string}
       */
      secret: 'generated' | 'given' | 'handshake'
      /**
       * @description The steps in the console of the service.
       * @example [
       *       "Open Settings, Webhooks, and add the address."
       *     ]
       */
      setup: string[]
      signature: {
        /**
         * @description The signed parts; null for the whole body.
         * @example null
         */
        covers: string[] | null
        /**
         * @example [
         *       "x-hub-signature-256"
         *     ]
         */
        headers: string[]
      }
      /** @example GitHub */
      title: string
      /** @example [] */
      traps: string[]
      /**
       * @description `signed` covers the body, `partial` a part of the delivery; `origin` proves only the sender, `none` nothing.
       * @enum {string}
       */
      trust: 'signed' | 'partial' | 'origin' | 'none'
    }
    ProviderSummary: {
      /**
       * @description The page of the service on its webhooks.
       * @example https://docs.github.com
       */
      docs: string | null
      /**
       * @description A service passes payloads on; a normalized provider converts them to a stable schema.
       * @enum {string}
       */
      form: 'service' | 'normalized'
      /** @example github */
      name: string
      /** @description Whether the gateway receives deliveries of the provider. */
      registered: boolean
      /** @example GitHub */
      title: string
      /**
       * @description `signed` covers the body, `partial` a part of the delivery; `origin` proves only the sender, `none` nothing.
       * @enum {string}
       */
      trust: 'signed' | 'partial' | 'origin' | 'none'
    }
    ReplayDeliveries:
      | {
          /**
           * @description Selects every delivery. Required without another criterion.
           * @enum {boolean}
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
    ReplayJob: {
      as_new: boolean
      created_at: string
      created_by: string | null
      erased: number
      error: string | null
      events: number
      filter: Record<string, never>
      finished_at: string | null
      id: string
      processed: number
      quarantined: number
      replayed: number
      /** @enum {unknown} */
      status: 'running' | 'done' | 'canceled' | 'failed'
      total: number
      unchanged: number
      updated_at: string
    }
    TestDelivery: {
      /**
       * @description The error code of a refusal.
       * @example null
       */
      code: string | null
      events: {
        duplicate: boolean
        /** @example codehost@5Xo2aPq0VnTr8hZkWm3uYd:workflow_run.completed:1 */
        id: string
        /** @example codehost/workflow_run.completed */
        name: string
      }[]
      /** @example workflow_run.completed */
      kind: string
      /** @example null */
      message: string | null
      /** @enum {string} */
      outcome: 'accepted' | 'duplicate' | 'ignored' | 'quarantined' | 'refused'
      /**
       * @description The HTTP status of the gateway.
       * @example 200
       */
      status: number
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
    /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
    createdAfter: string
    /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
    cursor: string
    id: string
    /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
    'Idempotency-Key': string
    /** @description The ETag that the change is based on; 412 when it is not current. */
    'If-Match': string
    /** @description ETags of cached representations; 304 when one of them is current. */
    'If-None-Match': string
    /** @description Number of items per page. */
    limit: number
    /** @description Page number, starting at 1, the default. page × limit is at most 10000000. */
    page: number
    /** @description Keeps the items that match provider. */
    provider: string
    /** @description Comma-separated, a leading - for descending: created_at. */
    sort: string
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
interface operations {
  listEndpoints: {
    parameters: {
      query?: {
        /** @description Keeps the items after this RFC 3339 date-time, exclusive. A date is its first instant in UTC. */
        createdAfter?: components['parameters']['createdAfter']
        /** @description The nextCursor of the previous page, or a cursor from its links, with the same sort and filters. Empty for the first page. Cannot be combined with page. */
        cursor?: components['parameters']['cursor']
        /** @description Comma-separated names of the fields to return: id, provider, name, status, url, secrets, labels, options, created_at, updated_at. */
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
           *               "created_at": "2026-01-31T12:00:00.000Z"
           *             }
           *           ],
           *           "labels": {
           *             "plan": "free"
           *           },
           *           "options": {
           *             "only": [
           *               "push",
           *               "pull_request.*"
           *             ]
           *           },
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
           *             "created_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ]
           *         },
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
        id: components['parameters']['id']
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
           *             "created_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ]
           *         },
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
        id: components['parameters']['id']
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
        id: components['parameters']['id']
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
           *             "created_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         ],
           *         "labels": {
           *           "plan": "free"
           *         },
           *         "options": {
           *           "only": [
           *             "push",
           *             "pull_request.*"
           *           ]
           *         },
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
  addEndpointSecret: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the same key gives the same response for 24 hours. */
        'Idempotency-Key'?: components['parameters']['Idempotency-Key']
      }
      path: {
        id: components['parameters']['id']
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
        id: components['parameters']['id']
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
        id: components['parameters']['id']
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
           *         "kind": "workflow_run.completed",
           *         "outcome": "accepted",
           *         "status": 200,
           *         "code": null,
           *         "message": null,
           *         "events": [
           *           {
           *             "id": "codehost@5Xo2aPq0VnTr8hZkWm3uYd:workflow_run.completed:1",
           *             "name": "codehost/workflow_run.completed",
           *             "duplicate": true
           *           }
           *         ]
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
  listFailures: {
    parameters: {
      query?: {
        endpoint?: string
        provider?: string
        status?: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description x */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Failure'][]
            meta: {
              truncated: boolean
            }
          }
        }
      }
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
           *         "identity": [
           *           "header x-github-delivery"
           *         ],
           *         "kind": [
           *           "header x-github-event",
           *           "action"
           *         ],
           *         "kinds": [
           *           "push"
           *         ],
           *         "samples": [
           *           "push"
           *         ],
           *         "setup": [
           *           "Open Settings, Webhooks, and add the address."
           *         ],
           *         "traps": [],
           *         "retries": null,
           *         "confidence": "primary"
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
        cursor?: string
        limit?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description x */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ReplayJob'][]
            meta: components['schemas']['OffsetMeta'] | components['schemas']['CursorMeta']
          }
        }
      }
    }
  }
  createReplayJob: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayDeliveries']
      }
    }
    responses: {
      /** @description x */
      202: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
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
      /** @description x */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
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
      /** @description x */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['ReplayJob']
          }
        }
      }
    }
  }
}
