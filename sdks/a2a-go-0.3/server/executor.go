package main

import (
	"context"

	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
)

type executor struct{ performer *skills.Performer }

func (e executor) Execute(ctx context.Context, asked *a2asrv.RequestContext, queue eventqueue.Queue) error {
	turn := skills.Turn{TaskID: string(asked.TaskID), Continues: asked.StoredTask != nil, Text: textOf(asked.Message.Parts)}
	err := e.performer.Perform(ctx, turn, teller{ctx, asked, queue})
	if ctx.Err() != nil {
		return nil // It was canceled, and Cancel says so.
	}
	return err
}

func (e executor) Cancel(ctx context.Context, asked *a2asrv.RequestContext, queue eventqueue.Queue) error {
	canceled := a2a.NewStatusUpdateEvent(asked, a2a.TaskStateCanceled, nil)
	canceled.Final = true
	canceled.Metadata = asked.Metadata
	return queue.Write(ctx, canceled)
}

// textOf is the first text part's.
func textOf(parts a2a.ContentParts) string {
	for _, text := range texts(parts) {
		return text
	}
	return ""
}

func texts(parts a2a.ContentParts) []string {
	var told []string
	for _, part := range parts {
		if text, ok := part.(a2a.TextPart); ok {
			told = append(told, text.Text)
		}
	}
	return told
}
