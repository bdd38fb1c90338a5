import { type AnyProvider } from '@sallyport/webhooks';
import type { Settings } from './settings.ts';
type ProviderSettings = Pick<Settings, 'PROVIDER_ONLY' | 'ALLOW_UNSIGNED' | 'MANUAL_TESTS_OFF'>;
/** Reports malformed and unknown entries of the settings, and registered providers that ALLOW_UNSIGNED lacks. */
export declare function providerProblems({ PROVIDER_ONLY, ALLOW_UNSIGNED, MANUAL_TESTS_OFF }: ProviderSettings, available: readonly AnyProvider[], registered: readonly AnyProvider[]): readonly string[];
/** Narrows a provider to its kinds in PROVIDER_ONLY, and turns off its manual tests for MANUAL_TESTS_OFF. */
export declare function narrowProvider(provider: AnyProvider, { PROVIDER_ONLY, MANUAL_TESTS_OFF }: ProviderSettings): AnyProvider;
export {};
