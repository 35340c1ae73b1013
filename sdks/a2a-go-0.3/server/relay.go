package main

import (
	"context"
	"time"

	"assay/sdks/a2a-go-0.3/calling"
	"assay/sdks/go/lines"
	"github.com/a2aproject/a2a-go/a2a"
)

// Ask asks another agent, and waits until its task rests if it answers with one.
func (t teller) Ask(ctx context.Context, cardURL, text string) ([]string, error) {
	client, err := calling.Client(ctx, lines.Target{Card: cardURL})
	if err != nil {
		return nil, err
	}
	defer client.Destroy()
	message := a2a.NewMessage(a2a.MessageRoleUser, a2a.TextPart{Text: text})
	result, err := client.SendMessage(ctx, &a2a.MessageSendParams{Message: message})
	if err != nil {
		return nil, err
	}
	task, ok := result.(*a2a.Task)
	if !ok {
		return texts(result.(*a2a.Message).Parts), nil
	}
	for !rests(task.Status.State) {
		time.Sleep(100 * time.Millisecond)
		if task, err = client.GetTask(ctx, &a2a.TaskQueryParams{ID: task.ID}); err != nil {
			return nil, err
		}
	}
	var told []string
	for _, artifact := range task.Artifacts {
		told = append(told, texts(artifact.Parts)...)
	}
	if task.Status.Message != nil {
		told = append(told, texts(task.Status.Message.Parts)...)
	}
	return told, nil
}
