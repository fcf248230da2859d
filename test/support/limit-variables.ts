/** The limits that a deployment sets, by the names of their environment variables. */
export const limitVariables = {
  LIVE_CARRIER_CALLS_PER_SECOND: '1',
  LIVE_CARRIER_MAX_CALLS: '100',
  NUMBER_CALLS_PER_DAY: '6',
  NUMBER_GAP_MINUTES: '10',
  SHARED_LINE_CALLS_PER_DAY: '500',
  SHARED_LINE_GAP_MINUTES: '0',
  OPT_OUT_SCOPE: 'operator',
} as const;
