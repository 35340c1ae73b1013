package main

import (
	"context"
	"errors"
	"iter"

	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

type executor struct{ performer *skills.Performer }

// errLeft is what a teller says once the SDK takes no more events.
var errLeft = errors.New("no more events are taken")

func (e executor) Execute(ctx context.Context, asked *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		turn := skills.Turn{TaskID: string(asked.TaskID), Continues: asked.StoredTask != nil, Text: textOf(asked.Message.Parts)}
		err := e.performer.Perform(ctx, turn, teller{asked, yield})
		if err != nil && ctx.Err() == nil && !errors.Is(err, errLeft) {
			yield(nil, err)
		}
	}
}

func (e executor) Cancel(_ context.Context, asked *a2asrv.ExecutorContext) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		canceled := a2a.NewStatusUpdateEvent(asked, a2a.TaskStateCanceled, nil)
		canceled.Metadata = asked.Metadata
		yield(canceled, nil)
	}
}

// textOf is the first text part's.
func textOf(parts a2a.ContentParts) string {
	for _, part := range parts {
		if text, ok := part.Content.(a2a.Text); ok {
			return string(text)
		}
	}
	return ""
}
