/**
 * The webhook gateway: signature schemes, providers, the delivery pipeline and its ports.
 *
 * @module
 */
export type { Delivery, DeliveryHeaders, VerifiedDelivery } from './ports/delivery.ts'
export type { EventSource, InternalEvent, Message } from './ports/event.ts'
export type { TraceContext } from './ports/trace-context.ts'
export type {
  ForwardFailure,
  BodyState,
  CancelOptions,
  CancelResult,
  ClaimedLane,
  ClaimedWork,
  CompleteInbox,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryPosition,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryStatus,
  DeliverySummary,
  DispatcherInbox,
  DrainerInbox,
  EndpointCount,
  EndpointCountsQuery,
  EndpointOptions,
  EndpointSource,
  EraseResult,
  EraseSelection,
  EventRecord,
  EventState,
  EventStatus,
  Failure,
  FailureGroup,
  FailureGroups,
  FailureLimiter,
  FailureQuery,
  GatewayEndpoint,
  GatewayInbox,
  HeldLease,
  Inbox,
  InboxConnection,
  InboxStats,
  Lane,
  LaneChange,
  LaneQuery,
  LaneResult,
  LaneSettlement,
  LaneSummary,
  MaybePromise,
  NotificationState,
  Notifier,
  OperatorInbox,
  PruneOptions,
  PruneResult,
  PublishedEvent,
  PublishedQuery,
  PublishedSettlement,
  Publisher,
  PublishResult,
  TargetResult,
  RecordedDeliveries,
  RecordedQuery,
  RecordResult,
  ReplayerInbox,
  ReplayOptions,
  ReplayResult,
  ReplaySelection,
  RetentionInbox,
  Route,
  SecretLease,
  SecretSource,
  Settlement,
  SignatureScheme,
  Trust,
  Verification,
  Work,
} from './ports/ports.ts'
export {
  inTransaction,
  isTransactional,
  postponedMs,
  type EventLease,
  type TransactionalHandler,
} from './ports/transactional.ts'
export {
  defineProvider,
  getTrust,
  type Answer,
  type AnyProvider,
  type EventFacts,
  type EventSchemas,
  type Handshake,
  type HandshakeAnswer,
  type HandshakeRequest,
  type NormalizedEvent,
  type PassedEvent,
  type ProducedEvent,
  type Provider,
  type ProviderEvent,
} from './provider/provider.ts'
export type { CatalogueEntry } from './provider/catalogue.ts'
export type { ServiceFacts } from './provider/facts.ts'
export type { Json, JsonEvents } from './provider/json.ts'
export { createKindFilter, toKind } from './provider/kind.ts'
export { createNameFilter } from './route/name-filter.ts'
export { route, type EventRoute, type RouteOptions } from './route/route.ts'
export {
  defineService,
  type NoEvents,
  type Payloads,
  type Service,
  type ServiceDeclaration,
  type ServiceOptions,
} from './provider/service.ts'
export type { ValueSource } from './provider/values.ts'
export { createRegistry, createRouting, type Registry } from './provider/registry.ts'
export type { BackoffOptions } from './dispatch/backoff.ts'
export type { BodyLimits, BodySink } from './gateway/body-budget.ts'
export {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type Reservation,
} from './dispatch/dispatcher.ts'
export type {
  DeliverySpan,
  DeliveryTracer,
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
  Outcome,
  RecordingGateway,
  UnprocessedRequest,
} from './gateway/gateway-contract.ts'
export type { KeptRequest, Reprocessed } from './gateway/reprocess.ts'
export type { Notifications } from './dispatch/notify.ts'
export { createDrainer, type DrainerOptions } from './consume/drainer.ts'
export {
  createGateway,
  createServerlessGateway,
  type GatewayOptions,
  type ServerlessGatewayOptions,
} from './gateway/gateway.ts'
export type {
  EventHandler,
  EventHandlers,
  EventOf,
  EventOfKind,
  HandlerLimits,
  LimitedEventHandler,
  LimitedEventHandlers,
  PayloadsBy,
  PayloadsByAction,
  WithPayloads,
} from './handlers/event-handlers.ts'
export { HandlerError, type HandlerErrorOptions } from './handlers/handler-error.ts'
export { createRunner } from './run/runner.ts'
export type { HandlersOptions, RunnerOptions } from './run/runner-options.ts'
export { createLanes, type LanesOptions, type SelectLane } from './gateway/lanes.ts'
export { memoryFailureLimiter, type MemoryFailureLimiterOptions } from './gateway/failure-limiter.ts'
export type { LargeIntegers } from './parsers/large-integers.ts'
export { parseJson } from './parsers/parse-json.ts'
export { bodyToken } from './schemes/body-token.ts'
export type { SchemeDescription } from './schemes/description.ts'
export { basicAuth, sharedToken, type SharedTokenOptions } from './schemes/credentials.ts'
export { compressed, type CompressedOptions } from './schemes/compressed.ts'
export { compactJson } from './schemes/compact-json.ts'
export { ecdsa, type EcdsaOptions } from './schemes/ecdsa.ts'
export { ed25519, type Ed25519Options } from './schemes/ed25519.ts'
export { hmac, type HmacOptions } from './schemes/hmac.ts'
export type { BuildContent, ProofOptions, Refusal, SignedContent, SignedStamp } from './schemes/proof.ts'
export type { PublicKeyOptions } from './schemes/public-key.ts'
export { rsa, type RsaOptions } from './schemes/rsa.ts'
export { base64Secret, hexSecret } from './schemes/keys.ts'
export { hash, type HashOptions } from './schemes/hash.ts'
export { formField, formSignature, jsonField, jsonSignature } from './schemes/body-fields.ts'
export { formContent, sortedForm } from './schemes/form-content.ts'
export { parseForm, parseFormJson, startsLikeJson } from './parsers/forms.ts'
export { parseJwtClaims, parseText } from './parsers/text.ts'
export {
  listHeader,
  numberedHeaders,
  structuredHeader,
  type ListHeaderOptions,
  type Presented,
  type SignatureLocation,
  type StructuredHeaderOptions,
} from './schemes/signature-header.ts'
export { querySignature, queryToken } from './schemes/query-signature.ts'
export { signedId, signedTime, type SignedIdOptions, type SignedTimeOptions } from './schemes/stamps.ts'
export { signDelivery, type SignedDelivery } from './schemes/sign-delivery.ts'
export { standardWebhooks, type StandardWebhooksOptions } from './schemes/standard-webhooks.ts'
export {
  createEraser,
  type EraseOptions,
  type Eraser,
  type EraserOptions,
  type Erasure,
} from './operations/eraser.ts'
export {
  createReplayer,
  type ReplayedDelivery,
  type ReplayedPortion,
  type Replayer,
  type ReplayerOptions,
} from './operations/replayer.ts'
export {
  createRetention,
  createSteadyClock,
  type Retention,
  type RetentionOptions,
} from './operations/retention.ts'
export type { WithInbox } from './gateway/inbox-recorder.ts'
export type { WithoutInbox } from './gateway/publishing-recorder.ts'
export {
  createSecretKeeper,
  staticSecrets,
  type SecretKeeper,
  type SecretKeeperOptions,
  type SecretState,
  type StaticSecrets,
} from './secrets/secret-keeper.ts'
export { summarizeRetries, type RetrySummaries, type RetrySummary } from './dispatch/summarize-retries.ts'
export type { Attempt, WorkLoopHooks, WorkLoopOptions } from './dispatch/work-loop.ts'
export { memoryBus, type EventListener, type MemoryBus, type MemoryBusOptions } from './memory/bus.ts'
export { memoryInbox, type MemoryInboxOptions } from './memory/inbox.ts'
export { getClientNetwork, normalizeAddress } from './gateway/address.ts'
export { createEndpointId, isEndpointId } from './gateway/endpoint-id.ts'
export { normalizeBasePath, normalizePublicUrl, parseWebhookPath, type WebhookPath } from './gateway/path.ts'
export { bodyAborted, bodyTimeout } from './ports/refusals.ts'
export type { Jwk, KeyEncoding } from './crypto/public-key.ts'
export { sha256Hex, type ContentPart, type DigestEncoding, type HmacAlgorithm } from './crypto/crypto.ts'
