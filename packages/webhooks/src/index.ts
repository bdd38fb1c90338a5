/**
 * The webhook gateway: signature schemes, providers, the delivery pipeline and its ports.
 *
 * @module
 */
export type { Delivery, DeliveryHeaders, VerifiedDelivery } from './ports/delivery.ts'
export type {
  Destination,
  DestinationMessage,
  DestinationResult,
  DestinationSource,
} from './ports/destination.ts'
export type { EventSource, WebhookEvent, Message } from './ports/event.ts'
export type { TraceContext } from './ports/trace-context.ts'
export type {
  AttemptResponse,
  ForwardFailure,
  BodyState,
  CancelOptions,
  CancelResult,
  ClaimedLane,
  ClaimedWork,
  CompleteInbox,
  DeclaredEndpoint,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryPosition,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryStatus,
  DeliverySummary,
  DestinationBacklog,
  DestinationEventsQuery,
  DispatcherInbox,
  EndpointOptions,
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
  HeldLease,
  Inbox,
  InboxStats,
  Lane,
  LaneChange,
  LaneQuery,
  LaneResult,
  LaneSettlement,
  LaneSummary,
  MaybePromise,
  NewestCount,
  NewestCountsQuery,
  NotificationState,
  Notifier,
  OperatorInbox,
  PruneOptions,
  PruneResult,
  PublishedEvent,
  PublishedQuery,
  Publisher,
  PublishResult,
  RecordedDeliveries,
  RecordedQuery,
  RecordResult,
  ReplayOptions,
  ReplayResult,
  ReplaySelection,
  Route,
  SecretSource,
  Settlement,
  StoredRequest,
  SignatureScheme,
  Trust,
  Verification,
  Work,
} from './ports/ports.ts'
export { type EventLease, type TransactionalHandler } from './ports/transactional.ts'
export {
  defineProvider,
  getTrust,
  type Answer,
  type AnyProvider,
  type EventFacts,
  type EventSchemas,
  type Handshake,
  type HandshakeRequest,
  type NormalizedEvent,
  type PassedEvent,
  type Provider,
  type ProviderEvent,
} from './provider/provider.ts'
export type { CatalogueEntry } from './provider/catalogue.ts'
export type { ServiceFacts } from './provider/facts.ts'
export type { Json, JsonEvents } from './provider/json.ts'
export { route } from './route/route.ts'
export { defineService, type Payloads, type Service, type ServiceDeclaration } from './provider/service.ts'
export type { ValueSource } from './provider/values.ts'
export { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts'
export type {
  Gateway,
  GatewayRequest,
  GatewayResponse,
  Observation,
  RecordingGateway,
} from './gateway/gateway-contract.ts'
export type { Notifications } from './dispatch/notify.ts'
export { createDrainer } from './consume/drainer.ts'
export { createGateway, createServerlessGateway, type GatewayOptions } from './gateway/gateway.ts'
export { redactPublisher } from './redaction/redact-publisher.ts'
export { createRedactor, type RedactPaths } from './redaction/redactor.ts'
export type {
  EventHandlers,
  EventOfKind,
  LimitedEventHandlers,
  PayloadsBy,
  PayloadsByAction,
  WithPayloads,
} from './handlers/event-handlers.ts'
export { HandlerError } from './handlers/handler-error.ts'
export { createRunner } from './run/runner.ts'
export { createLanes, type SelectLane } from './gateway/lanes.ts'
export { createMemoryFailureLimiter } from './gateway/failure-limiter.ts'
export type { LargeIntegers } from './parsers/large-integers.ts'
export { parseJson } from './parsers/parse-json.ts'
export { bodyToken } from './schemes/body-token.ts'
export type { SchemeDescription } from './schemes/description.ts'
export { basicAuth, sharedToken } from './schemes/credentials.ts'
export { compressed } from './schemes/compressed.ts'
export { compactJson } from './schemes/compact-json.ts'
export { ecdsa } from './schemes/ecdsa.ts'
export { ed25519 } from './schemes/ed25519.ts'
export { hmac, type HmacOptions } from './schemes/hmac.ts'
export type { BuildContent, ProofOptions, SignedContent, SignedStamp } from './schemes/proof.ts'
export { rsa } from './schemes/rsa.ts'
export { base64Secret, hexSecret } from './schemes/keys.ts'
export { hash } from './schemes/hash.ts'
export { formField, formSignature, jsonField, jsonSignature } from './schemes/body-fields.ts'
export { formContent, sortedForm } from './schemes/form-content.ts'
export { parseForm, parseFormJson, startsLikeJson } from './parsers/forms.ts'
export { parseJwtClaims, parseText } from './parsers/text.ts'
export {
  listHeader,
  numberedHeaders,
  structuredHeader,
  type SignatureLocation,
} from './schemes/signature-header.ts'
export { querySignature, queryToken } from './schemes/query-signature.ts'
export { signedId, signedTime, type SignedTimeOptions } from './schemes/stamps.ts'
export { signDelivery, type SignedDelivery } from './schemes/sign-delivery.ts'
export { standardWebhooks } from './schemes/standard-webhooks.ts'
export type { Eraser, Erasure } from './operations/eraser.ts'
export { createReplayer, type Replayer } from './operations/replayer.ts'
export { createRetention, type Retention } from './operations/retention.ts'
export {
  createSecretKeeper,
  staticSecrets,
  type SecretKeeper,
  type StaticSecrets,
} from './secrets/secret-keeper.ts'
export { summarizeRetries } from './dispatch/summarize-retries.ts'
export type { Attempt } from './dispatch/work-loop.ts'
export { createMemoryBus, type MemoryBus } from './memory/bus.ts'
export { createMemoryInbox } from './memory/inbox.ts'
export type { Jwk } from './crypto/public-key.ts'
export { sha256Hex } from './crypto/crypto.ts'
