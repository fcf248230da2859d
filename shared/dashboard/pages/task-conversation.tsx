import type { CallHistory } from '#shared/admin/task-history.ts';
import type { Call } from '#shared/domain/call.ts';
import { positionText } from '../layout/duration.ts';
import type { ProjectView } from '../layout/project-page.tsx';
import { CallState } from '../layout/task-words.tsx';
import { Waveform } from '../layout/waveform.tsx';
import { turnId } from './task-result.tsx';

const speeds = ['0.75', '1', '1.25', '1.5', '2'];

/** Empty for an unanswered call, which the timeline covers. */
export function hasConversation({ call, turns }: CallHistory): boolean {
  return call.ended_at === null || call.recording.status === 'stored' || turns.length > 0;
}

export function Conversation({
  view: { links, project },
  history: { call, turns, isWhole },
}: {
  readonly view: ProjectView;
  readonly history: CallHistory;
}) {
  const title = `Call ${call.attempt}`;
  return (
    <section class="card" id={`call-${call.id}`} data-conversation="">
      <div class="head">
        <h2>{title}</h2>
        {isBeingSettled(call) ? <span class="state plain">Ended</span> : <CallState status={call.status} />}
      </div>
      {call.recording.status === 'stored' ? (
        <div class="player">
          {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below it */}
          <audio
            controls
            preload="none"
            src={links.recording(project.id, call.id)}
            aria-label={`Recording of call ${call.attempt}`}
          />
          <Waveform
            waveform={call.recording.waveform}
            durationSeconds={call.recording.duration_seconds ?? 0}
          />
          <div class="actions">
            {call.recording.duration_seconds === null ? null : (
              <span class="hint">{`Length ${positionText(call.recording.duration_seconds * 1000)}`}</span>
            )}
            <label class="speed">
              Speed{' '}
              <select data-speed="" aria-label={`Speed of the recording of call ${call.attempt}`}>
                {speeds.map((speed) => (
                  <option value={speed} {...(speed === '1' ? { selected: true } : {})}>{`${speed}×`}</option>
                ))}
              </select>
            </label>
            <a href={links.recordingFile(project.id, call.id)}>
              Download<span class="unseen"> the recording of call {call.attempt}</span>
            </a>
          </div>
        </div>
      ) : null}
      {turns.length === 0 ? (
        <p class="quiet">{call.ended_at === null ? 'Waiting for someone to speak.' : 'Nothing was said.'}</p>
      ) : (
        <ol class="conversation">
          {turns.map(({ index, role, content, offset_ms }) => (
            <li id={turnId(call.id, index)} class={role} data-offset-ms={offset_ms} tabindex={-1}>
              <span class="hint">
                {`${role === 'assistant' ? 'Voice agent' : 'Person called'} · ${positionText(offset_ms)}`}
                {call.recording.status === 'stored' ? (
                  <button type="button" class="hear" data-hear="">
                    Play<span class="unseen"> from {positionText(offset_ms)}</span>
                  </button>
                ) : null}
              </span>
              {content}
            </li>
          ))}
        </ol>
      )}
      {isWhole ? null : <p class="quiet">The transcript is longer; the API answers with all of it.</p>}
    </section>
  );
}

/** The call has ended, but its outcome waits for the carrier's final report. */
export function isBeingSettled({ status, ended_at }: Call): boolean {
  return status === 'IN_PROGRESS' && ended_at !== null;
}
