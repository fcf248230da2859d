/*
 * The modules and their allowed imports, which point one way:
 *
 *   functions -> triggers, http, operations -> use cases -> table -> domain
 *
 * infra knows the functions by their manifests only.
 *
 * `npm run lint` runs this; `test/doors.test.ts` proves that every rule can fail.
 */

const useCases =
  'admin|api-keys|audit|calling-hours|calls|cost|directory|erasure|imports|lists|mail|migrations|' +
  'opt-outs|patients|projects|recordings|sweeping|tasks|throttling|usage|webhooks';
/** Modules that know requests and responses, sessions or pages. */
const http = 'dashboard|http|idempotency|identity|openapi|operations|triggers';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that need each other belong in one, or share a third.',
      severity: 'error',
      from: { pathNot: '^shared/voice-agent/entities/' },
      to: { circular: true },
    },
    {
      name: 'domain-knows-nothing',
      comment: 'The domain imports only itself.',
      severity: 'error',
      from: { path: '^shared/domain/' },
      to: { path: '^(shared|infra|functions)/', pathNot: '^shared/domain/' },
    },
    {
      name: 'table-knows-the-domain',
      comment: 'The data layer decides nothing, so it imports no policy; it seals what it stores.',
      severity: 'error',
      from: { path: '^shared/table/' },
      to: { path: '^(shared|infra|functions)/', pathNot: '^shared/(table|domain|encryption|aws)/' },
    },
    {
      name: 'use-cases-know-no-http',
      comment: 'They return values and throw domain errors; the caller turns them into responses.',
      severity: 'error',
      from: {
        path: `^shared/(${useCases}|voice-agent)/`,
        // The handlers of the relay's socket, and the model that the environment names: both are wiring.
        pathNot: '^shared/voice-agent/(session/relay-session|dialogue/configured-model)\\.ts$',
      },
      to: { path: `^shared/(${http})/` },
    },
    {
      name: 'use-cases-know-no-lambda',
      comment: 'The events of Lambda, and what wraps its handlers, belong to the triggers.',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/triggers/' },
      to: { path: 'node_modules/(@middy|@types/aws-lambda|aws-lambda)/' },
    },
    {
      name: 'triggers-know-no-use-case',
      comment: 'A trigger turns an event into a call and a result into a response, whatever is called.',
      severity: 'error',
      from: { path: '^shared/triggers/' },
      to: {
        path: '^shared/',
        // What the declaration of an endpoint looks like; the declarations themselves name use cases.
        pathNot: '^shared/((triggers|domain|observability)/|operations/operation\\.ts$)',
      },
    },
    {
      name: 'carrier-is-an-adapter',
      comment: 'The client of the carrier knows its wire protocol and the domain.',
      severity: 'error',
      from: { path: '^shared/carrier/' },
      to: { path: '^(shared|infra|functions)/', pathNot: '^shared/(carrier|domain|observability|aws)/' },
    },
    {
      name: 'nobody-imports-functions',
      comment: 'Infra knows a function by its manifest, and no function knows another.',
      severity: 'error',
      from: {},
      to: { path: '^functions/[^/]+\\.ts$' },
    },
    {
      name: 'admin-handlers-are-of-one-function',
      comment: 'The management API is one function in several files.',
      severity: 'error',
      from: { pathNot: '^functions/admin(/|\\.ts$)' },
      to: { path: '^functions/admin/' },
    },
    {
      name: 'manifests-declare',
      comment: 'Synthesis loads every manifest, so none imports what a function runs.',
      severity: 'error',
      from: { path: '^functions/manifests/' },
      to: {
        path: '^(shared|infra|functions)/',
        pathNot: '^shared/(operations/|triggers/(manifest|variables|dialogue-variables)\\.ts$)',
      },
    },
    {
      name: 'operations-declare',
      comment: 'An operation names the schemas of its use case, and knows neither pages nor functions.',
      severity: 'error',
      from: { path: '^shared/operations/' },
      to: { path: '^(shared/(dashboard|idempotency|identity|table|triggers)|functions|infra)/' },
    },
    {
      name: 'shared-knows-no-infra',
      comment: 'What runs in a function does not know how it is deployed.',
      severity: 'error',
      from: { path: '^(shared|functions)/' },
      to: { path: '^infra/' },
    },
    {
      name: 'dialogue-models-know-the-interface',
      comment: 'The two models know neither each other nor their callers.',
      severity: 'error',
      from: { path: '^shared/voice-agent/(built-in-model|language-model)/' },
      to: {
        path: '^shared/(voice-agent/(built-in-model|language-model|session|result)|[^/]+)/',
        pathNot: [
          '^shared/voice-agent/$1/',
          '^shared/voice-agent/(call-plan|core|dialogue|entities|language|understanding)/',
          '^shared/(aws|domain|observability)/',
          // What words tell of the facts; the core's guard reads it, too.
          '^shared/voice-agent/result/told-facts\\.ts$',
        ],
      },
    },
    {
      name: 'one-file-knows-both-models',
      comment: 'It opens the configured one.',
      severity: 'error',
      from: {
        path: '^shared/',
        pathNot: [
          '^shared/voice-agent/(built-in-model|language-model)/',
          '^shared/voice-agent/dialogue/open-dialogue-model\\.ts$',
        ],
      },
      to: { path: '^shared/voice-agent/(built-in-model|language-model)/' },
    },
    {
      name: 'plan-knows-no-dialogue',
      comment: 'A call plan is made before the conversation begins.',
      severity: 'error',
      from: { path: '^shared/voice-agent/call-plan/' },
      to: { path: '^shared/', pathNot: '^shared/(domain|voice-agent/(call-plan|entities|language))/' },
    },
    {
      name: 'result-knows-no-session',
      comment: 'A result is read from what is stored.',
      severity: 'error',
      from: { path: '^shared/voice-agent/(result|core|dialogue)/' },
      to: { path: '^shared/voice-agent/session/' },
    },
    {
      name: 'phone-stands-alone',
      comment:
        'The other end of the wire imports from the service only the wire protocol, zones of numbers, and the log.',
      severity: 'error',
      from: { path: '^shared/sandbox-phone/' },
      to: {
        path: '^(shared|infra|functions)/',
        pathNot: [
          '^shared/sandbox-phone/',
          '^shared/aws/',
          '^shared/carrier/(credentials|signature)\\.ts$',
          '^shared/calling-hours/(number-zones|zone-clock)\\.ts$',
          '^shared/observability/',
        ],
      },
    },
    {
      name: 'service-does-not-know-the-phone',
      comment: 'The service speaks with it over the wire, as with the carrier.',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/sandbox-phone/' },
      to: { path: '^shared/sandbox-phone/' },
    },
    {
      name: 'phone-has-doors',
      comment:
        'Functions open its line and REST API; the local stack fills its directory; training reads its sentences.',
      severity: 'error',
      from: { path: '^(infra|functions)/' },
      to: {
        path: '^shared/sandbox-phone/',
        pathNot: [
          '^shared/sandbox-phone/line/(line-queue|run-call)\\.ts$',
          '^shared/sandbox-phone/personas/(own-personas|persona-bucket|known-sentences)\\.ts$',
          '^shared/sandbox-phone/person/person-file\\.ts$',
          '^shared/sandbox-phone/rest/(handle-request|rest-services)\\.ts$',
          '^shared/sandbox-phone/sound/speech\\.ts$',
          '^shared/sandbox-phone/store/sandbox-store\\.ts$',
        ],
      },
    },
    {
      name: 'personas-know-persons',
      comment:
        'The directory reads files and casts persons; a person knows neither directory, line nor REST.',
      severity: 'error',
      from: { path: '^shared/sandbox-phone/person/' },
      to: { path: '^shared/sandbox-phone/(personas|line|rest)/' },
    },
    {
      name: 'emulator-knows-no-service',
      comment: 'It runs whatever the template says.',
      severity: 'error',
      from: {
        path: '^infra/local/((event-sources|functions|gateway|provision|servers|template)/|local-stack\\.ts$)',
      },
      to: { path: '^(shared|functions)/' },
    },
    {
      name: 'local-stack-is-its-own-house',
      comment: 'What deploys to AWS does not know the emulator.',
      severity: 'error',
      from: { path: '^infra/', pathNot: '^infra/local/' },
      to: { path: '^infra/local/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
